import type pg from 'pg'

/** An endpoint that this process owns for now. */
export type OwnedEndpoint = {
  readonly id: string
  /** Grows with every change of the owner; writes of an earlier owner are refused. */
  readonly epoch: bigint
}

export type Claim = {
  /** This process. */
  readonly holder: string
  readonly leaseMs: number
  /** Maximum endpoints to take over in this call. */
  readonly limit: number
}

/** Announces this process as a sender, if there is an endpoint. Returns the numbers of live senders and of endpoints: each takes its share. */
export const announceSender = async (
  client: pg.ClientBase,
  { holder, leaseMs }: Pick<Claim, 'holder' | 'leaseMs'>,
): Promise<{ readonly senders: number; readonly endpoints: number }> => {
  const { rows: counted } = await client.query<{ endpoints: bigint }>(
    'SELECT count(*) AS endpoints FROM webhook_progress',
  )
  const endpoints = Number(counted[0]!.endpoints)
  if (endpoints === 0) return { senders: 0, endpoints }
  await client.query(
    `INSERT INTO webhook_senders (holder, seen_at) VALUES ($1, clock_timestamp())
     ON CONFLICT (holder) DO UPDATE SET seen_at = excluded.seen_at`,
    [holder],
  )
  await client.query(
    'DELETE FROM webhook_senders WHERE seen_at < clock_timestamp() - make_interval(secs => 10 * $1::float8)',
    [leaseMs / 1000],
  )
  const { rows } = await client.query<{ senders: bigint }>(
    'SELECT count(*) AS senders FROM webhook_senders WHERE seen_at > clock_timestamp() - make_interval(secs => $1)',
    [leaseMs / 1000],
  )
  return { senders: Number(rows[0]!.senders), endpoints }
}

/** Takes over endpoints that no process owns. Disabled ones, too: their replays and redeliveries may be waiting. */
export const claimEndpoints = async (
  client: pg.ClientBase,
  { holder, leaseMs, limit }: Claim,
): Promise<OwnedEndpoint[]> => {
  if (limit <= 0) return []
  const { rows } = await client.query<OwnedEndpoint>(
    `UPDATE webhook_progress SET holder = $1, epoch = epoch + 1, lease_until = clock_timestamp() + make_interval(secs => $2)
     WHERE endpoint_id IN (
       SELECT endpoint_id FROM webhook_progress WHERE lease_until < clock_timestamp() ORDER BY lease_until, endpoint_id
       LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING endpoint_id AS id, epoch`,
    [holder, leaseMs / 1000, limit],
  )
  return rows
}

/** Extends the leases of this process. Returns those that it still has. */
export const renewLeases = async (
  client: pg.ClientBase,
  owned: readonly OwnedEndpoint[],
  leaseMs: number,
): Promise<ReadonlySet<string>> => {
  if (owned.length === 0) return new Set()
  const { rows } = await client.query<{ id: string }>(
    `UPDATE webhook_progress p SET lease_until = clock_timestamp() + make_interval(secs => $3)
     FROM unnest($1::text[], $2::bigint[]) AS o (id, epoch)
     WHERE p.endpoint_id = o.id AND p.epoch = o.epoch RETURNING p.endpoint_id AS id`,
    [owned.map(({ id }) => id), owned.map(({ epoch }) => epoch), leaseMs / 1000],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Gives endpoints up, so that another process need not wait for the end of the lease. */
export const releaseEndpoints = async (client: pg.ClientBase, owned: readonly OwnedEndpoint[]): Promise<void> => {
  if (owned.length === 0) return
  await client.query(
    `UPDATE webhook_progress p SET lease_until = to_timestamp(0), holder = NULL
     FROM unnest($1::text[], $2::bigint[]) AS o (id, epoch) WHERE p.endpoint_id = o.id AND p.epoch = o.epoch`,
    [owned.map(({ id }) => id), owned.map(({ epoch }) => epoch)],
  )
}

/** This process no longer sends. */
export const dismissSender = async (client: pg.ClientBase, holder: string): Promise<void> => {
  await client.query('DELETE FROM webhook_senders WHERE holder = $1', [holder])
}

/**
 * Locks the progress of an endpoint until the end of the transaction; false if another process owns it now, or it was deleted. Call
 * it first in every transaction of the owner.
 */
export const holdEndpoint = async (client: pg.ClientBase, { id, epoch }: OwnedEndpoint): Promise<boolean> => {
  const { rowCount } = await client.query(
    'SELECT FROM webhook_progress WHERE endpoint_id = $1 AND epoch = $2 FOR UPDATE',
    [id, epoch],
  )
  return rowCount === 1
}
