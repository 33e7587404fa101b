import { Type } from 'typebox'
import { CONTROL_LIMITS } from '../../../devnet/network/bounds.ts'
import type { Mining } from '../../../devnet/network/NetworkControls.ts'
import { conflictingParams } from '../../core/errors.ts'
import { optional, param } from '../../core/Param.ts'
import { devEndpoint } from '../devEndpoint.ts'
import { StatusView, toStatusView } from '../views/StatusView.ts'

const ModeParam = param(
  Type.Union([Type.Literal('interval'), Type.Literal('instant'), Type.Literal('manual')], {
    description: 'A block every so often; as soon as there is something to do; only when told to.',
  }),
)

const IntervalParam = param(
  Type.Integer({
    minimum: CONTROL_LIMITS.minIntervalMs,
    maximum: CONTROL_LIMITS.maxIntervalMs,
    description: 'Milliseconds from block to block, with the mode interval; 1000 when left out.',
  }),
)

const EmptyBlocksParam = param(
  Type.Boolean({
    description: 'Whether blocks with nothing in them are made, with the mode interval; true when left out.',
  }),
)

export const mining = devEndpoint({
  name: 'mining',
  methods: ['POST'],
  tags: ['network'],
  summary: 'Says when blocks are made.',
  params: { mode: ModeParam, interval_ms: optional(IntervalParam), empty_blocks: optional(EmptyBlocksParam) },
  result: StatusView,
  errors: ['dev_input_invalid', 'dev_network_closed'],
  async handle(network, { mode, interval_ms: intervalMs, empty_blocks: emptyBlocks }) {
    await network.setMining(toMining(mode, intervalMs, emptyBlocks))
    return toStatusView(network.getStatus())
  },
})

const toMining = (mode: Mining['mode'], intervalMs: number | undefined, emptyBlocks: boolean | undefined): Mining => {
  if (mode === 'interval') return { mode, intervalMs: intervalMs ?? 1000, emptyBlocks: emptyBlocks ?? true }
  if (intervalMs === undefined && emptyBlocks === undefined) return { mode }
  throw conflictingParams('mode', `interval_ms and empty_blocks go with the mode interval, not with ${mode}.`)
}
