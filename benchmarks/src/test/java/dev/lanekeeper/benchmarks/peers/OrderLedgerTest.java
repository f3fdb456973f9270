package dev.lanekeeper.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The ledger sees each planted fault, and nothing where there is none. */
class OrderLedgerTest {
    private final OrderLedger ledger = new OrderLedger(3);

    @Test
    void records_of_a_key_one_after_the_other_are_in_order_whatever_other_keys_do() {
        ledger.begun(0, 0);
        ledger.begun(1, 0);
        ledger.ended(0, 0);
        run(0, 1);
        run(0, 2);
        ledger.ended(1, 0);
        assertThat(ledger.overlaps()).isZero();
        assertThat(ledger.disorders()).isZero();
        assertThat(ledger.comparisons()).isEqualTo(2);
    }

    @Test
    void two_at_once_overlap() {
        ledger.begun(0, 0);
        ledger.begun(0, 1);
        assertThat(ledger.overlaps()).isOne();
    }

    @Test
    void a_record_before_its_turn_is_out_of_order() {
        run(0, 1);
        assertThat(ledger.disorders()).isOne();
    }

    @Test
    void a_record_that_was_left_out_is_missed_by_its_successor() {
        run(0, 0);
        run(0, 2);
        assertThat(ledger.disorders()).isOne();
    }

    @Test
    void a_record_that_comes_again_is_out_of_order() {
        run(0, 0);
        run(0, 0);
        assertThat(ledger.disorders()).isOne();
    }

    @Test
    void first_records_alone_compare_nothing() {
        run(0, 0);
        run(1, 0);
        assertThat(ledger.comparisons()).isZero();
    }

    @Test
    void after_a_restart_records_may_be_left_out_but_not_come_again() {
        OrderLedger resumed = new OrderLedger(1, true);
        resumed.begun(0, 3);
        resumed.ended(0, 3);
        resumed.begun(0, 7);
        resumed.ended(0, 7);
        assertThat(resumed.disorders()).isZero();
        resumed.begun(0, 5);
        assertThat(resumed.disorders()).isOne();
        resumed.begun(0, 6);
        assertThat(resumed.overlaps()).isOne();
    }

    private void run(int key, int position) {
        ledger.begun(key, position);
        ledger.ended(key, position);
    }
}
