import {
  type Address,
  formatFriendlyAddress,
  formatRawAddress,
  parseAddress,
  parseFriendlyAddress,
} from '../../primitives/Address.ts'
import { type BlockId, parseBlockId, parseBlockIdExt } from '../../primitives/BlockId.ts'
import { toBase64, toBase64Url } from '../../primitives/base64.ts'
import { CodedError } from '../../primitives/errors.ts'
import { parseHash } from '../../primitives/hash.ts'
import { toHex } from '../../primitives/hex.ts'
import { formatShard, formatSignedShard, shardPrefixLength } from '../../primitives/shard.ts'
import type { Finding } from './Finding.ts'

/** What a short text stands for: an address, a block id or a hash. `undefined` where it is none of them. */
export const inspectText = (text: string): Finding | undefined =>
  attempt(() => inspectAddress(text)) ?? attempt(() => inspectBlockId(text)) ?? attempt(() => inspectHash(text))

const inspectAddress = (text: string): Finding => {
  const address = parseAddress(text)
  const given = text.includes(':') ? undefined : parseFriendlyAddress(text)
  return {
    kind: 'address',
    ...(given !== undefined && { given: describeFlags(given) }),
    workchain: address.workchain,
    raw: formatRawAddress(address),
    bounceable: friendly(address, true, false),
    non_bounceable: friendly(address, false, false),
    test_only_bounceable: friendly(address, true, true),
    test_only_non_bounceable: friendly(address, false, true),
    hash_hex: toHex(address.hash),
    hash_base64: toBase64(address.hash),
  }
}

const friendly = (address: Address, bounceable: boolean, testOnly: boolean): string =>
  formatFriendlyAddress(address, { bounceable, testOnly })

const describeFlags = ({
  bounceable,
  testOnly,
}: {
  readonly bounceable: boolean
  readonly testOnly: boolean
}): string => `${bounceable ? 'bounceable' : 'non-bounceable'}${testOnly ? ', test networks only' : ''}`

const inspectBlockId = (text: string): Finding => {
  const whole = attempt(() => parseBlockIdExt(text))
  const id: BlockId = whole ?? parseBlockId(text)
  return {
    kind: 'block id',
    workchain: id.workchain,
    shard: formatShard(id.shard),
    shard_signed: formatSignedShard(id.shard),
    shard_depth: shardPrefixLength(id.shard),
    seqno: id.seqno,
    ...(whole !== undefined && { root_hash: toHex(whole.rootHash), file_hash: toHex(whole.fileHash) }),
  }
}

const inspectHash = (text: string): Finding => {
  const hash = parseHash(text, ['hex', 'prefixed_hex', 'base64', 'unpadded_base64url'])
  return {
    kind: 'hash',
    hex: toHex(hash),
    base64: toBase64(hash),
    base64url: toBase64Url(hash),
    decimal: String(BigInt(`0x${toHex(hash)}`)),
    note: 'Of what it is the hash only a service or a liteserver can tell: see the command call.',
  }
}

const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return undefined
  }
}
