/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.utils;

import java.util.Arrays;

/** A queue of bounded size. Not thread safe. */
public class RingBuffer<T> {
    /** The slots; free ones are null. */
    public T[] elements;

    private int first;
    private int size;

    /** Makes an empty queue that holds at most {@code capacity} elements, at least 1. */
    @SuppressWarnings("unchecked") // the array never leaves this class as an array of T but through the historic field
    public RingBuffer(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a ring buffer of " + capacity + " elements; at least 1 is needed");
        }
        this.elements = (T[]) new Object[capacity];
    }

    /** Removes all elements. */
    public void clear() {
        Arrays.fill(elements, null);
        first = 0;
        size = 0;
    }

    /** The most elements that fit. */
    public int capacity() {
        return elements.length;
    }

    /** The number of elements. */
    public int size() {
        return size;
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** The number of elements that can be added. */
    public int remaining() {
        return elements.length - size;
    }

    /** Adds an element at the end; false if there is no room. */
    public boolean add(T element) {
        if (size == elements.length) {
            return false;
        }
        elements[(first + size) % elements.length] = element;
        size++;
        return true;
    }

    /** Removes the first element; null if there is none. */
    public T poll() {
        if (size == 0) {
            return null;
        }
        T element = elements[first];
        elements[first] = null;
        first = (first + 1) % elements.length;
        size--;
        return element;
    }

    /** The first element; null if there is none. */
    public T peek() {
        return size == 0 ? null : elements[first];
    }
}
