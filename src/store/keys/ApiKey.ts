import type { Rate } from '../../primitives/Rate.ts'

/** What is known of a key. The key itself is not. */
export type ApiKey = {
  /** How it begins. */
  readonly id: string
  /** A keyed hash of the whole. */
  readonly hash: Uint8Array
  readonly network: string
  readonly plan: string
  /** Keys of one owner share a budget. */
  readonly owner: string
  /** Of a plan of its own. */
  readonly rate: Rate | undefined
  readonly note: string | undefined
  /** Made by a visitor for himself. */
  readonly isSelfMade: boolean
  readonly createdAt: Date
  /** It no longer works from then on. */
  readonly expiresAt: Date | undefined
  readonly revokedAt: Date | undefined
  /** The key that took its place. */
  readonly replacedBy: string | undefined
}

/** A key that is to be. */
export type NewApiKey = Pick<
  ApiKey,
  'id' | 'hash' | 'network' | 'plan' | 'owner' | 'rate' | 'note' | 'isSelfMade' | 'createdAt'
>

export const isLive = ({ revokedAt, expiresAt }: ApiKey, now: number): boolean =>
  revokedAt === undefined && (expiresAt === undefined || now < expiresAt.getTime())

export type ApiKeyRow = {
  readonly id: string
  readonly hash: Buffer
  readonly network: string
  readonly plan: string
  readonly owner: string
  readonly per_second: number | null
  readonly burst: number | null
  readonly note: string | null
  readonly is_self_made: boolean
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly replaced_by: string | null
}

export const apiKeyColumns =
  'id, hash, network, plan, owner, per_second, burst, note, is_self_made, created_at, expires_at, revoked_at, replaced_by'

export const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  hash: row.hash,
  network: row.network,
  plan: row.plan,
  owner: row.owner,
  rate: row.per_second === null || row.burst === null ? undefined : { perSecond: row.per_second, burst: row.burst },
  note: row.note ?? undefined,
  isSelfMade: row.is_self_made,
  createdAt: row.created_at,
  expiresAt: row.expires_at ?? undefined,
  revokedAt: row.revoked_at ?? undefined,
  replacedBy: row.replaced_by ?? undefined,
})
