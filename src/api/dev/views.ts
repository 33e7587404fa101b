import { type Static, Type } from 'typebox'
import type { Mining, NetworkStatus, Sent } from '../../devnet/network/NetworkControls.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { formatShard } from '../../primitives/shard.ts'

export const BlockIdView = Type.Object(
  {
    workchain: Type.Integer({ examples: [-1] }),
    shard: Type.String({ description: '16 hexadecimal digits.', examples: ['8000000000000000'] }),
    seqno: Type.Integer({ examples: [17] }),
    root_hash: Type.String({ description: 'In base64.' }),
    file_hash: Type.String({ description: 'In base64.' }),
  },
  { $id: 'BlockId', description: 'Block id.' },
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

export const SentView = Type.Object(
  {
    message_hash: Type.String({
      description: 'The hash of the message, in base64.',
      examples: ['8lTYmChbsTfFEtC3/MoVfXSbG5P5YdxuaXsCAPHemyA='],
    }),
  },
  { $id: 'Sent', description: 'The message that was sent.' },
)

export const toSentView = ({ messageHash }: Sent): Static<typeof SentView> => ({ message_hash: toBase64(messageHash) })

const delayed = {
  commit_delay_ms: Type.Optional(
    Type.Integer({
      description: 'Milliseconds between shard blocks and the masterchain block that names them; absent if 0.',
    }),
  ),
}

const MiningView = Type.Union(
  [
    Type.Object({
      mode: Type.Literal('interval'),
      interval_ms: Type.Integer({ examples: [1000] }),
      empty_blocks: Type.Boolean(),
      ...delayed,
    }),
    Type.Object({ mode: Type.Literal('instant'), ...delayed }),
    Type.Object({ mode: Type.Literal('manual'), ...delayed }),
  ],
  {
    $id: 'Mining',
    description: 'Mining mode: at a fixed interval, as soon as there are messages, or on demand.',
  },
)

export const StatusView = Type.Object(
  {
    head: BlockIdView,
    utime: Type.Integer({ description: 'Unix time of the network.', examples: [1790000000] }),
    clock_offset: Type.Integer({
      description:
        'Seconds by which the clock of the network is ahead of the machine; negative on a fork of an older block.',
      examples: [0],
    }),
    mining: MiningView,
    shards: Type.Array(BlockIdView, { description: 'The newest block of every shard of the basechain.' }),
    pending_shards: Type.Array(BlockIdView, { description: 'Shard blocks that no masterchain block names yet.' }),
    waiting_messages: Type.Integer({
      description: 'External-in messages that no block has included yet.',
      examples: [0],
    }),
  },
  { $id: 'Status', description: 'State of the network.' },
)

export const toStatusView = (status: NetworkStatus): Static<typeof StatusView> => ({
  head: toBlockIdView(status.head),
  utime: status.utime,
  clock_offset: status.clockOffset,
  mining: toMiningView(status.mining),
  shards: status.shards.map(toBlockIdView),
  pending_shards: status.pendingShards.map(toBlockIdView),
  waiting_messages: status.waitingMessages,
})

const toMiningView = (mining: Mining): Static<typeof MiningView> => {
  const { commitDelayMs = 0 } = mining
  const own = commitDelayMs > 0 ? { commit_delay_ms: commitDelayMs } : {}
  return mining.mode === 'interval'
    ? { mode: 'interval', interval_ms: mining.intervalMs, empty_blocks: mining.emptyBlocks, ...own }
    : { mode: mining.mode, ...own }
}
