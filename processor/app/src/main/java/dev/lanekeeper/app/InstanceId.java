package dev.lanekeeper.app;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;

/** Makes a name for an instance that was given none. */
final class InstanceId {
    private InstanceId() {}

    /** The host's name, so that a person finds it, and a random number, so that two on a host differ. */
    static String generate() {
        return host() + "-" + Integer.toHexString(ThreadLocalRandom.current().nextInt(0x1000, 0x10000));
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "instance";
        }
    }
}
