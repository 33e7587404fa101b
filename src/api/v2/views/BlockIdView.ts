import { type Static, Type } from 'typebox'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { formatSignedShard } from '../../../primitives/shard.ts'
import { HashView, typeName } from './scalars.ts'

export const BlockIdView = Type.Object(
  {
    '@type': typeName('chain.blockIdExt'),
    workchain: Type.Integer({ examples: [-1] }),
    shard: Type.String({ description: 'A signed 64-bit decimal number.', examples: ['-9223372036854775808'] }),
    seqno: Type.Integer({ examples: [37_926_913] }),
    root_hash: HashView,
    file_hash: HashView,
  },
  { $id: 'BlockIdExt', description: 'Which block it is.' },
)

export const toBlockIdView = ({
  workchain,
  shard,
  seqno,
  rootHash,
  fileHash,
}: BlockIdExt): Static<typeof BlockIdView> => ({
  '@type': 'chain.blockIdExt',
  workchain,
  shard: formatSignedShard(shard),
  seqno,
  root_hash: toBase64(rootHash),
  file_hash: toBase64(fileHash),
})
