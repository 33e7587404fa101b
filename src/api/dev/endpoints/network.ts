import { Type } from 'typebox'
import { CONTROL_LIMITS, type Disturbance, type Mining } from '../../../devnet/network/NetworkControls.ts'
import { conflictingParams } from '../../core/errors.ts'
import { HashParam, list, optional, param, withDefault } from '../../core/params.ts'
import { devEndpoint } from '../devEndpoint.ts'
import { BlockIdView, StatusView, toBlockIdView, toStatusView } from '../views.ts'

export const status = devEndpoint({
  name: 'status',
  methods: ['GET'],
  tags: ['network'],
  summary: 'State of the network: newest blocks, clock, mining mode.',
  params: {},
  result: StatusView,
  errors: [],
  handle: (network) => toStatusView(network.getStatus()),
})

export const clock = devEndpoint({
  name: 'clock',
  methods: ['POST'],
  tags: ['network'],
  summary: 'Move the clock of the network forward. The next block has the new time.',
  params: {
    seconds: param(Type.Integer({ minimum: 1, maximum: CONTROL_LIMITS.clockSeconds, examples: [86400] })),
  },
  result: StatusView,
  errors: ['dev_input_invalid', 'dev_network_closed'],
  handle: async (network, { seconds }) => toStatusView(await network.moveClock(seconds)),
})

export const mine = devEndpoint({
  name: 'mine',
  methods: ['POST'],
  tags: ['network'],
  summary: 'Make masterchain blocks now, with their shard blocks, in any mining mode.',
  params: {
    blocks: withDefault(param(Type.Integer({ minimum: 1, maximum: CONTROL_LIMITS.minedBlocks })), 1),
  },
  result: Type.Object({ head: BlockIdView }),
  errors: ['dev_step_failed', 'dev_network_closed'],
  timeoutMs: 600_000,
  handle: async (network, { blocks }) => ({ head: toBlockIdView(await network.mine(blocks)) }),
})

const ModeParam = param(
  Type.Union([Type.Literal('interval'), Type.Literal('instant'), Type.Literal('manual')], {
    description:
      'interval: a block at a fixed interval; instant: as soon as there are messages; manual: only by /dev/mine.',
  }),
)

const IntervalParam = param(
  Type.Integer({
    minimum: CONTROL_LIMITS.minIntervalMs,
    maximum: CONTROL_LIMITS.maxIntervalMs,
    description: 'Block interval in milliseconds, for the mode interval; default 1000.',
  }),
)

const EmptyBlocksParam = param(
  Type.Boolean({
    description: 'Whether to make empty blocks, for the mode interval; default true.',
  }),
)

const CommitDelayParam = param(
  Type.Integer({
    minimum: 0,
    maximum: CONTROL_LIMITS.maxCommitDelayMs,
    description:
      'Milliseconds between shard blocks and the masterchain block that names them; default 0. Meanwhile the liteserver shows them to ' +
      'non-final queries, streams send them as confirmed, and /dev/replace may replace them.',
  }),
)

export const mining = devEndpoint({
  name: 'mining',
  methods: ['POST'],
  tags: ['network'],
  summary: 'Set the mining mode.',
  params: {
    mode: ModeParam,
    interval_ms: optional(IntervalParam),
    empty_blocks: optional(EmptyBlocksParam),
    commit_delay_ms: optional(CommitDelayParam),
  },
  result: StatusView,
  errors: ['dev_input_invalid', 'dev_network_closed'],
  async handle(network, { mode, interval_ms: intervalMs, empty_blocks: emptyBlocks, commit_delay_ms: commitDelayMs }) {
    await network.setMining({ ...toMining(mode, intervalMs, emptyBlocks), commitDelayMs })
    return toStatusView(network.getStatus())
  },
})

const toMining = (mode: Mining['mode'], intervalMs: number | undefined, emptyBlocks: boolean | undefined): Mining => {
  if (mode === 'interval') return { mode, intervalMs: intervalMs ?? 1000, emptyBlocks: emptyBlocks ?? true }
  if (intervalMs === undefined && emptyBlocks === undefined) return { mode }
  throw conflictingParams('mode', `interval_ms and empty_blocks go with the mode interval, not with ${mode}.`)
}

export const commit = devEndpoint({
  name: 'commit',
  methods: ['POST'],
  tags: ['network'],
  summary: 'Have the masterchain name the pending shard blocks now, before their commit delay is over.',
  params: {},
  result: Type.Object({ head: BlockIdView }),
  errors: ['dev_input_invalid', 'dev_network_closed'],
  handle: async (network) => ({ head: toBlockIdView(await network.commit()) }),
})

const MAX_REPLACED = 1000

export const replace = devEndpoint({
  name: 'replace',
  methods: ['POST'],
  tags: ['network'],
  summary: 'Replace the pending shard blocks by others with the same seqnos, as validators may do.',
  description:
    'The new blocks leave out external-in messages, by hash; default: all. These wait for the next block. The new blocks are pending for ' +
    'the whole commit delay.',
  params: { messages: optional(list(HashParam, { maxItems: MAX_REPLACED })) },
  result: Type.Object({ blocks: Type.Array(BlockIdView, { description: 'The new blocks.' }) }),
  errors: ['dev_input_invalid', 'dev_network_closed'],
  handle: async (network, { messages }) => ({ blocks: (await network.replacePending(messages)).map(toBlockIdView) }),
})

export const reshard = devEndpoint({
  name: 'reshard',
  methods: ['POST'],
  tags: ['network'],
  summary: 'Split or merge all shards of the basechain over the next blocks, within the limits of the configuration.',
  params: { wish: param(Type.Union([Type.Literal('split'), Type.Literal('merge')])) },
  result: StatusView,
  errors: ['dev_input_invalid', 'dev_network_closed'],
  async handle(network, { wish }) {
    await network.reshard(wish)
    return toStatusView(network.getStatus())
  },
})

export const revert = devEndpoint({
  name: 'revert',
  methods: ['POST'],
  tags: ['snapshots'],
  summary: 'Takes the chain back to a snapshot.',
  description: 'Blocks and snapshots that are newer than it are gone. The snapshot itself stays.',
  params: { id: param(Type.String({ minLength: 1, maxLength: 100, description: 'As the snapshot said.' })) },
  result: Type.Object({ head: BlockIdView }),
  errors: ['dev_snapshot_not_found', 'dev_network_closed'],
  handle: async (network, { id }) => ({ head: toBlockIdView(await network.revert(id)) }),
})

export const snapshot = devEndpoint({
  name: 'snapshot',
  methods: ['POST'],
  tags: ['snapshots'],
  summary: 'Remembers the chain as it is, to come back to it later.',
  params: {},
  result: Type.Object({ id: Type.String({ description: 'What to revert to.' }), head: BlockIdView }),
  errors: ['dev_input_invalid', 'dev_network_closed'],
  async handle(network) {
    const { id, head } = await network.snapshot()
    return { id, head: toBlockIdView(head) }
  },
})

const KindParam = param(
  Type.Union([Type.Literal('lose'), Type.Literal('delay'), Type.Literal('hold_internal')], {
    description:
      'lose: the next external message is taken and never seen again. delay: it waits for so many blocks. ' +
      'hold_internal: internal messages stay in their queues for so many blocks.',
  }),
)

const BlocksParam = param(
  Type.Integer({
    minimum: 1,
    maximum: CONTROL_LIMITS.disturbedBlocks,
    description: 'For how many blocks, with delay and hold_internal; 1 when left out.',
  }),
)

export const disturb = devEndpoint({
  name: 'disturb',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Loses or delays the next messages, as networks at times do.',
  params: { kind: KindParam, blocks: optional(BlocksParam) },
  result: StatusView,
  errors: ['dev_input_invalid', 'dev_network_closed'],
  async handle(network, { kind, blocks }) {
    await network.disturb(toDisturbance(kind, blocks))
    return toStatusView(network.getStatus())
  },
})

const toDisturbance = (kind: 'lose' | 'delay' | 'hold_internal', blocks: number | undefined): Disturbance => {
  if (kind === 'delay') return { kind, blocks: blocks ?? 1 }
  if (kind === 'hold_internal') return { kind: 'holdInternal', blocks: blocks ?? 1 }
  if (blocks === undefined) return { kind }
  throw conflictingParams('blocks', 'A message that is lost is not lost for a number of blocks.')
}
