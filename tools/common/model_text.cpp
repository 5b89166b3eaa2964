// SPDX-License-Identifier: MIT
// Splits the text at colon, commas and equals signs, checks each parameter when a model takes it,
// and refuses parameters that no model has taken.
#include "model_text.h"

#include "text.h"

#include <cstdlib>
#include <sstream>

namespace g6tools {

ModelText::ModelText(const std::string &given) : name_(given.substr(0, given.find(':')))
{
    if (name_.size() == given.size()) return;
    std::istringstream rest(given.substr(name_.size() + 1));
    for (std::string pair; std::getline(rest, pair, ',');) {
        const std::size_t equals = pair.find('=');
        if (equals == std::string::npos || equals == 0)
            throw ModelError(given + ": '" + pair + "' is no KEY=VALUE, as in king:W0=6");
        if (!values_.emplace(pair.substr(0, equals), pair.substr(equals + 1)).second)
            throw ModelError(given + ": " + pair.substr(0, equals) + " is there twice");
    }
}

std::string ModelText::word(const std::string &key, const std::string &fallback)
{
    const auto found = values_.find(key);
    if (found == values_.end()) return fallback;
    const std::string value = found->second;
    values_.erase(found);
    return value;
}

double ModelText::number(const std::string &key, double fallback, double least, double most)
{
    if (!has(key)) return fallback;
    const std::string value = word(key, "");
    char *end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    if (end == value.c_str() || *end || !(number >= least && number <= most))
        throw ModelError(text("%s: %s=%s is no number from %g to %g", name_.c_str(), key.c_str(),
                              value.c_str(), least, most));
    return number;
}

void ModelText::finish(const std::string &known) const
{
    if (values_.empty()) return;
    throw ModelError(name_ + " has no parameter " + values_.begin()->first + "; it has " + known);
}

}  // namespace g6tools
