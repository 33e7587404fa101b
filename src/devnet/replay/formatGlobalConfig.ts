import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { toBase64 } from '../../primitives/base64.ts'
import type { LiteServerAddress } from '../../primitives/LiteServerAddress.ts'

/**
 * The global configuration of a network with one liteserver, trusted from a key block on, or from its first state where none
 * is given. The shard is written as a bare number, which only text can carry whole.
 */
export const formatGlobalConfig = (
  { host, port, publicKey }: LiteServerAddress,
  zeroState: BlockIdExt,
  initBlock: BlockIdExt = zeroState,
): string => {
  const bytes = host.split('.').map(Number)
  const isAddress = bytes.length === 4 && bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
  const place = isAddress ? { ip: bytes.reduce((ip, byte) => (ip << 8) | byte, 0) } : { ip: 0, hostname: host }
  const config = {
    '@type': 'config.global',
    liteservers: [{ ...place, port, id: { '@type': 'pub.ed25519', key: toBase64(publicKey) } }],
    validator: {
      '@type': 'validator.config.global',
      zero_state: toJsonBlock(zeroState),
      init_block: toJsonBlock(initBlock),
      hardforks: [],
    },
  }
  return `${JSON.stringify(config, undefined, 2).replaceAll(`"${SHARD_MARK}"`, '-9223372036854775808')}\n`
}

const SHARD_MARK = 'whole shard'

const toJsonBlock = ({ workchain, seqno, rootHash, fileHash }: BlockIdExt) => ({
  workchain,
  shard: SHARD_MARK,
  seqno,
  root_hash: toBase64(rootHash),
  file_hash: toBase64(fileHash),
})
