/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import org.apache.crail.error.ConfigurationException;

/** Makes the objects whose classes a configuration names. All methods are thread safe. */
public final class Plugins {
    private Plugins() {}

    /**
     * Makes an object with the public constructor that takes {@code arguments} or, where there is none, the one that
     * takes nothing.
     *
     * @param key the key that names the class, for messages
     * @throws ConfigurationException if there is no such class, it is not of this type, or its constructor fails
     */
    public static <T> T newInstance(ConfigKey<?> key, String className, Class<T> type, Object... arguments)
            throws ConfigurationException {
        try {
            return construct(Class.forName(className.strip()).asSubclass(type), arguments);
        } catch (InvocationTargetException e) {
            throw unusable(key, className, type, e.getCause());
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            throw unusable(key, className, type, e);
        }
    }

    private static <T> T construct(Class<T> type, Object... arguments) throws ReflectiveOperationException {
        for (Constructor<?> constructor : type.getConstructors()) {
            if (takes(constructor, arguments)) {
                return type.cast(constructor.newInstance(arguments));
            }
        }
        return type.getConstructor().newInstance();
    }

    private static boolean takes(Constructor<?> constructor, Object... arguments) {
        Class<?>[] parameters = constructor.getParameterTypes();
        if (parameters.length != arguments.length) {
            return false;
        }
        for (int i = 0; i < parameters.length; i++) {
            if (!parameters[i].isInstance(arguments[i])) {
                return false;
            }
        }
        return true;
    }

    private static ConfigurationException unusable(
            ConfigKey<?> key, String className, Class<?> type, Throwable reason) {
        return new ConfigurationException(
                key + " = " + className + " cannot be used: " + reason + "; name a class on the class path that is a "
                        + type.getName() + ", by default " + key.defaultText(),
                reason);
    }
}
