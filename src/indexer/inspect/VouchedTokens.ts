import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import type { KnownContracts, KnownToken } from './KnownContracts.ts'

type TokenKind = KnownToken['kind']
type TokenOf<K extends TokenKind> = Extract<KnownToken, { readonly kind: K }>

const ENTRY_BYTES = 512

/**
 * Tokens for which their parents vouched once.
 *
 * Why once is enough: a parent vouches by working out the address from what never changes, its own address, the code it gives its
 * children, and the owner or the number. So a contract at the same address, with the same code, that makes the same claim, has the
 * same answer coming. That saves a run, and the reading of the parent, for every transfer after the first. Where a parent changes
 * the code for children to come, the older ones stay what they were.
 */
export class VouchedTokens {
  private readonly tokens: LruCache<KnownToken>

  constructor(maxBytes: number) {
    this.tokens = new LruCache(maxBytes)
  }

  find<K extends TokenKind>(kind: K, account: string): TokenOf<K> | undefined {
    return this.tokens.find(`${kind} ${account}`) as TokenOf<K> | undefined
  }

  /** As it was with this code. */
  findWithCode<K extends TokenKind>(kind: K, account: string, codeHash: Uint8Array): TokenOf<K> | undefined {
    const token = this.find(kind, account)
    return token !== undefined && bytesEqual(token.codeHash, codeHash) ? token : undefined
  }

  /** What is known of a newer state stays. */
  add(token: KnownToken): void {
    const key = `${token.kind} ${toHex(token.account)}`
    const before = this.tokens.find(key)
    if (before === undefined || before.lastLt <= token.lastLt) this.tokens.set(key, token, ENTRY_BYTES)
  }

  /** Looks up in the store what is not known here. */
  async load(
    known: KnownContracts,
    wanted: readonly { readonly kind: TokenKind; readonly account: Uint8Array }[],
  ): Promise<void> {
    const missing = new Map<string, Uint8Array>()
    for (const { kind, account } of wanted) {
      const key = toHex(account)
      if (this.find(kind, key) === undefined) missing.set(key, account)
    }
    if (missing.size === 0) return
    for (const token of await known.findTokens([...missing.values()])) this.add(token)
  }
}
