// SPDX-License-Identifier: MIT
// Blocks on the cpu with two threads, in a child of fork() that lacks these threads.
#pragma once

// The block in this process, in its child, and here again.  own_pool: the child makes the first
// call of the library, and the application used OpenMP before.
void run_forked(bool tree, bool own_pool);

// The block in a child that is forked while another thread opens a cluster, and here.
void run_forked_while_opening(bool tree);

// g6_npipes() in children that are forked while another thread makes the first call.
void run_forked_while_reading();
