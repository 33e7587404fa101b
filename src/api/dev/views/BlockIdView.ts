import { type Static, Type } from 'typebox'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { formatShard } from '../../../primitives/shard.ts'

export const BlockIdView = Type.Object(
  {
    workchain: Type.Integer({ examples: [-1] }),
    shard: Type.String({ description: '16 hexadecimal digits.', examples: ['8000000000000000'] }),
    seqno: Type.Integer({ examples: [17] }),
    root_hash: Type.String({ description: 'In base64.' }),
    file_hash: Type.String({ description: 'In base64.' }),
  },
  { $id: 'BlockId', description: 'Which block it is.' },
)

export const toBlockIdView = ({
  workchain,
  shard,
  seqno,
  rootHash,
  fileHash,
}: BlockIdExt): Static<typeof BlockIdView> => ({
  workchain,
  shard: formatShard(shard),
  seqno,
  root_hash: toBase64(rootHash),
  file_hash: toBase64(fileHash),
})
