/**
 * What a store asks its namenodes: the router to them, calls in flight, and how threads wait for what follows. Public
 * for the other packages of the client only; not for applications.
 */
package org.apache.crail.core.call;
