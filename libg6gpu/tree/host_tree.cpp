// SPDX-License-Identifier: MIT
// Decides whether update() does nothing, a refresh, or a build and a refresh.
#include "host_tree.h"

#include <atomic>

namespace g6 {
namespace {

// A number that no other state of a tree in the process has.  Devices compare it with the number of
// the tree that they hold, to see whether they must copy the tree.
std::uint64_t next_stamp()
{
    static std::atomic<std::uint64_t> stamp{0};
    return ++stamp;
}

}  // namespace

void HostTree::update(const JStore &store, const HostTreeRequest &request)
{
    const int steps = request.walk.rebuild;
    bool keep = shape_holds(store, request) && !policy_.due(steps, bodies_);
    if (keep && same_values(store, request)) return;
    keep = keep && !policy_.due_for(steps, bodies_, request.ni);
    built_ = false;  // until the update is complete
    view_.cells = view_.bodies = 0;
    request_ = request;
    if (keep)
        policy_.refreshed();
    else
        build(store);
    refresh(store, !keep);
    built_ = !store.is_rewound();  // a tree of a rewound store lacks what the client has written
    store_revision_ = store.revision();
    view_.revision = next_stamp();
}

bool HostTree::shape_holds(const JStore &store, const HostTreeRequest &r) const
{
    const HostTreeRequest &was = request_;
    return built_ && r.nj == was.nj && r.walk.leaf == was.walk.leaf && r.scale == was.scale &&
           store.live() == live_;
}

bool HostTree::same_values(const JStore &store, const HostTreeRequest &r) const
{
    const HostTreeRequest &was = request_;
    return store_revision_ == store.revision() && r.motion == was.motion &&
           (r.t == was.t || r.motion == Motion::kAtRest) && r.walk.mac == was.walk.mac &&
           r.walk.theta == was.walk.theta && r.walk.multipole == was.walk.multipole;
}

void HostTree::build(const JStore &store)
{
    collect(store);
    live_ = store.live();
    sort_bodies();
    make_cells();
    view_.structure = next_stamp();
    policy_.built();
    builds_++;
}

void HostTree::refresh(const JStore &store, bool fresh)
{
    if (predict(store) || fresh) sort_by_index();
    if (fresh) make_cubes();
    make_moments();
    make_radii();
    make_view();
}

void HostTree::make_view()
{
    const bool moving = moves();
    view_.bodies = bodies_;
    view_.cells = cells_;
    view_.cell = cell_.data();
    view_.box = box_.data();
    view_.velocity = moving ? velocity_.data() : nullptr;
    view_.quadrupole = request_.walk.multipole ? quadrupole_.data() : nullptr;
    for (int c = 0; c < 3; c++) {
        view_.x[c] = x_[c].data();
        view_.v[c] = moving ? v_[c].data() : nullptr;
        view_.corner[c] = cube_.corner[c];
    }
    view_.mass = mass_.data();
    view_.index = index_.data();
    view_.slot = slot_.data();
    view_.key = key_.data();
    view_.by_index = by_index_.data();
    view_.size = cube_.size;
}

}  // namespace g6
