import type { Json } from '../columns.ts'

/** The tables of tokens, by which metadata is kept apart where an address has several roles. */
export const tokenTypes = ['jetton_masters', 'nft_collections', 'nft_items'] as const
export type TokenType = (typeof tokenTypes)[number]

/** What is known of a token. */
export type TokenMetadata = {
  readonly valid: boolean
  readonly name: string | undefined
  readonly description: string | undefined
  readonly symbol: string | undefined
  readonly image: string | undefined
  readonly extra: Readonly<Record<string, Json>>
  /** What went wrong, or was left out. */
  readonly error: string | undefined
}
