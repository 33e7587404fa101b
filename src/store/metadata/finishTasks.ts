import type pg from 'pg'
import type { MetadataTask } from './claimTasks.ts'
import type { TokenMetadata } from './TokenMetadata.ts'

/** How a task ended. */
export type TaskEnd = { readonly task: MetadataTask; readonly tries: number } & (
  | { readonly kind: 'found'; readonly metadata: TokenMetadata }
  /** What is there stays; it is tried again later. */
  | { readonly kind: 'later'; readonly delayMs: number; readonly error: string | undefined }
)

/** Writes how tasks ended, of those that are still ours. What was found is looked for again after `refreshMs`. */
export const finishTasks = async (
  client: pg.ClientBase,
  ends: readonly TaskEnd[],
  refreshMs: number,
): Promise<void> => {
  const found = ends.filter((end) => end.kind === 'found')
  const later = ends.filter((end) => end.kind === 'later')
  if (found.length > 0) {
    const texts = (pick: (metadata: TokenMetadata) => string | undefined): (string | null)[] =>
      found.map(({ metadata }) => pick(metadata) ?? null)
    await client.query(
      `UPDATE address_metadata m SET tries = e.tries, valid = e.valid, content_hash = e.content_hash, name = e.name,
         description = e.description, symbol = e.symbol, image = e.image, extra = e.extra::jsonb, error = e.error,
         updated_at = now(), expires_at = now() + make_interval(secs => $4), next_try_at = now() + make_interval(secs => $4)
       FROM unnest($1::bytea[], $2::text[], $3::timestamptz[], $5::int[], $6::bool[], $7::bytea[], $8::text[], $9::text[],
         $10::text[], $11::text[], $12::text[], $13::text[])
         AS e (address, type, claimed_until, tries, valid, content_hash, name, description, symbol, image, extra, error)
       WHERE m.address = e.address AND m.type = e.type AND m.next_try_at = e.claimed_until`,
      [
        ...keysOf(found),
        refreshMs / 1000,
        found.map(({ tries }) => tries),
        found.map(({ metadata }) => metadata.valid),
        found.map(({ task }) => task.contentHash ?? null),
        texts(({ name }) => name),
        texts(({ description }) => description),
        texts(({ symbol }) => symbol),
        texts(({ image }) => image),
        texts(({ extra }) => JSON.stringify(extra)),
        texts(({ error }) => error),
      ],
    )
  }
  if (later.length > 0) {
    await client.query(
      `UPDATE address_metadata m SET tries = e.tries, error = coalesce(e.error, m.error),
         next_try_at = now() + make_interval(secs => e.delay)
       FROM unnest($1::bytea[], $2::text[], $3::timestamptz[], $4::int[], $5::float8[], $6::text[])
         AS e (address, type, claimed_until, tries, delay, error)
       WHERE m.address = e.address AND m.type = e.type AND m.next_try_at = e.claimed_until`,
      [
        ...keysOf(later),
        later.map(({ tries }) => tries),
        later.map(({ delayMs }) => delayMs / 1000),
        later.map(({ error }) => error ?? null),
      ],
    )
  }
}

const keysOf = (ends: readonly TaskEnd[]) => [
  ends.map(({ task }) => task.address),
  ends.map(({ task }) => task.type),
  ends.map(({ task }) => task.claimedUntil),
]
