import type pg from 'pg'

// Any number that nobody else takes: "indexing" as bytes.
export const LOCK_KEY = 0x696e_6465_7869_6e67n

/** Lets those who change the index do it one after another. Held until the end of the transaction. */
export const lockIndex = async (client: pg.ClientBase): Promise<void> => {
  await client.query(lockIndexStatement)
}

/** The same as text, for those who send it together with others. */
export const lockIndexStatement = `SELECT pg_advisory_xact_lock(${LOCK_KEY})`

// "writings".
export const WRITER_KEY = 0x7772_6974_696e_6773n

/** Marks a transaction that has rows for the index before it is its turn. It keeps nobody out, and lets it be found if it hangs. */
export const markWriterStatement = `SELECT pg_advisory_xact_lock_shared(${WRITER_KEY})`
