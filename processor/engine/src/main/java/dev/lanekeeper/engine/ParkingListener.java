package dev.lanekeeper.engine;

import dev.lanekeeper.engine.intake.Assignment;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;

/** Tells the parking what the intake has been told, after it. Confined to the poll thread. */
final class ParkingListener implements ConsumerRebalanceListener {
    private final ConsumerRebalanceListener intake;
    private final Parking<?, ?> parking;
    private final Supplier<List<Assignment>> assignments;

    ParkingListener(ConsumerRebalanceListener intake, Parking<?, ?> parking, Supplier<List<Assignment>> assignments) {
        this.intake = intake;
        this.parking = parking;
        this.assignments = assignments;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        intake.onPartitionsAssigned(partitions);
        parking.assigned(assignments.get());
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        intake.onPartitionsRevoked(partitions);
        parking.revoked(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        intake.onPartitionsLost(partitions);
        parking.revoked(partitions);
    }
}
