/* SPDX-License-Identifier: Apache-2.0 */
#include "handles.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* A handle, from the highest bit: 0, kind (4 bits), generation (35), index (24). Kind and generation are its tag. */
#define INDEX_BITS 24
#define GENERATION_BITS 35
#define INDEX_MASK ((UINT64_C(1) << INDEX_BITS) - 1)
#define LAST_GENERATION ((UINT64_C(1) << GENERATION_BITS) - 1)

/* The word of a slot, from the highest bit: tag (39 bits), closed (1), references (24). */
#define TAG_SHIFT 25
#define CLOSED (UINT64_C(1) << 24)
#define REFERENCES (CLOSED - 1)

/* Slots stay where they are and are never freed, so that a stale handle can always be looked at. */
#define CHUNK_BITS 10
#define CHUNK_SLOTS (UINT32_C(1) << CHUNK_BITS)
#define CHUNKS (UINT32_C(1) << (INDEX_BITS - CHUNK_BITS))

/* A cache line of its own, since queue pairs and completion queues are used by different processors. */
struct slot {
    _Alignas(64) _Atomic uint64_t word;
    void *object;
    uint64_t generation;
    struct slot *next_free;
    uint32_t index;
};

static struct slot *_Atomic chunks[CHUNKS];
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static struct slot *free_slots;
static uint32_t chunk_count;

static _Atomic int32_t counts[KIND_COUNT];

static bool add_chunk(void)
{
    struct slot *chunk;

    if (chunk_count == CHUNKS) {
        return false;
    }
    chunk = aligned_alloc(_Alignof(struct slot), CHUNK_SLOTS * sizeof(struct slot));
    if (chunk == NULL) {
        return false;
    }
    for (uint32_t i = CHUNK_SLOTS; i-- > 0;) {
        struct slot *slot = &chunk[i];

        atomic_init(&slot->word, CLOSED);
        slot->object = NULL;
        slot->generation = 0;
        slot->index = chunk_count << CHUNK_BITS | i;
        slot->next_free = free_slots;
        free_slots = slot;
    }
    atomic_store_explicit(&chunks[chunk_count], chunk, memory_order_release);
    chunk_count++;
    return true;
}

static struct slot *take_slot(void)
{
    struct slot *slot = NULL;

    pthread_mutex_lock(&table_lock);
    if (free_slots != NULL || add_chunk()) {
        slot = free_slots;
        free_slots = slot->next_free;
        slot->generation++;
    }
    pthread_mutex_unlock(&table_lock);
    return slot;
}

/* A slot whose generations are used up is left alone, so that no handle comes twice. */
static void give_back(struct slot *slot)
{
    slot->object = NULL;
    pthread_mutex_lock(&table_lock);
    if (slot->generation < LAST_GENERATION) {
        slot->next_free = free_slots;
        free_slots = slot;
    }
    pthread_mutex_unlock(&table_lock);
}

static struct slot *slot_of(handle h)
{
    uint32_t index = (uint32_t)((uint64_t)h & INDEX_MASK);
    struct slot *chunk = atomic_load_explicit(&chunks[index >> CHUNK_BITS], memory_order_acquire);

    return chunk == NULL ? NULL : &chunk[index & (CHUNK_SLOTS - 1)];
}

static uint64_t tag_of(handle h)
{
    return (uint64_t)h >> INDEX_BITS;
}

/* Changes the word of an open slot: adds to its references, or closes it. Fails if the handle is not open. */
static struct slot *change(enum kind kind, handle h, uint64_t addend)
{
    uint64_t tag = tag_of(h);
    struct slot *slot;
    uint64_t word;

    /* Also refuses 0 and negative numbers: their kind is none. */
    if (tag >> GENERATION_BITS != (uint64_t)kind) {
        return NULL;
    }
    slot = slot_of(h);
    if (slot == NULL) {
        return NULL;
    }
    word = atomic_load_explicit(&slot->word, memory_order_relaxed);
    do {
        if (word >> TAG_SHIFT != tag || (word & CLOSED) != 0 || (word & REFERENCES) == REFERENCES) {
            return NULL;
        }
    } while (!atomic_compare_exchange_weak_explicit(
        &slot->word, &word, word + addend, memory_order_acquire, memory_order_relaxed));
    return slot;
}

handle handle_create(enum kind kind, void *object)
{
    struct slot *slot = take_slot();
    uint64_t tag;

    if (slot == NULL) {
        return 0;
    }
    slot->object = object;
    tag = (uint64_t)kind << GENERATION_BITS | slot->generation;
    atomic_fetch_add_explicit(&counts[kind], 1, memory_order_relaxed);
    atomic_store_explicit(&slot->word, tag << TAG_SHIFT | 1, memory_order_release);
    return (handle)(tag << INDEX_BITS | slot->index);
}

void *handle_acquire(enum kind kind, handle h)
{
    struct slot *slot = change(kind, h, 1);

    return slot == NULL ? NULL : slot->object;
}

int handle_release(handle h)
{
    struct slot *slot = slot_of(h);
    uint64_t before = atomic_fetch_sub_explicit(&slot->word, 1, memory_order_acq_rel);
    uint64_t kind = before >> (TAG_SHIFT + GENERATION_BITS);
    int error = 0;

    if ((before & REFERENCES) == 1) {
        if (destructors[kind] != NULL) {
            error = destructors[kind](slot->object);
        }
        atomic_fetch_sub_explicit(&counts[kind], 1, memory_order_relaxed);
        give_back(slot);
    }
    return error;
}

int handle_close(enum kind kind, handle h)
{
    return change(kind, h, CLOSED) == NULL ? -1 : handle_release(h);
}

int32_t handle_count(enum kind kind)
{
    return atomic_load_explicit(&counts[kind], memory_order_relaxed);
}
