import { Type } from 'typebox'
import { EmulateRequestError } from '../../emulate/errors.ts'
import { finalStates, summarize } from '../../emulate/summary.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { ForbiddenError } from '../core/errors.ts'
import { optional, param, withDefault } from '../core/params.ts'
import { actionHeaders } from '../v3/V3Context.ts'
import { expectAllowed, toEmulationView } from './answers.ts'
import { emulateEndpoint, limitsOf, withWorld } from './EmulateContext.ts'
import { BocParam, IgnoreSignatures, readIgnored, shownParams, worldParams } from './params.ts'
import { composeMessage, expectMessage, runMessage, runSteps } from './runSteps.ts'
import { readTonConnect, StepsParam, TonConnect } from './steps.ts'
import { EmulationView, SimulationView, toFinalStateView, toSummaryView } from './views.ts'

const errors = [
  'not_accepted',
  'state_not_kept',
  'block_not_found',
  'transaction_not_found',
  'replay_failed',
  'unsupported_kind',
  'forbidden',
  'vm_busy',
  'vm_timeout',
] as const

const MAX_MS = 31_000

export const emulateTrace = emulateEndpoint({
  name: 'emulateTrace',
  methods: ['POST'],
  tags: ['emulate'],
  summary: 'Emulate a message and everything that follows from it. Nothing is sent.',
  params: {
    boc: BocParam,
    ignore_chksig: withDefault(param(IgnoreSignatures, readIgnored), false),
    ...shownParams,
    ...worldParams,
  },
  headers: actionHeaders,
  result: EmulationView,
  errors: [...errors],
  timeoutMs: MAX_MS,
  async handle(parts, { boc, ignore_chksig: ignored, ...args }) {
    expectAllowed(parts, args)
    expectMessage(boc)
    return withWorld(parts, args, async (world) =>
      toEmulationView(
        parts,
        world,
        await runMessage(world, boc, ignored, args.on_pending ? parts.pending : undefined),
        args,
      ),
    )
  },
})

export const emulateTonConnect = emulateEndpoint({
  name: 'emulateTonConnect',
  methods: ['POST'],
  tags: ['emulate'],
  summary: 'Emulate a TON Connect request: writes the message of the wallet and runs it without a signature.',
  params: {
    from: optional(param(Type.String({ description: 'The wallet.' }))),
    messages: optional(param(Type.Required(Type.Object({ messages: TonConnect.messages })).properties.messages)),
    valid_until: optional(param(Type.Unknown({ description: 'Unix time; by default in 5 minutes.' }))),
    from_state_init: optional(
      param(Type.String({ description: 'StateInit of a wallet that is not deployed yet, a bag of cells.' })),
    ),
    ...shownParams,
    ...worldParams,
  },
  headers: actionHeaders,
  result: EmulationView,
  errors: [...errors, 'unsupported_wallet'],
  timeoutMs: MAX_MS,
  async handle(parts, { from, messages, valid_until, from_state_init, ...args }) {
    expectAllowed(parts, args)
    const request = readTonConnect({ from, messages, valid_until, from_state_init })
    return withWorld(parts, args, async (world) => {
      const message = await composeMessage(world, request)
      return toEmulationView(
        parts,
        world,
        await runMessage(world, message, 'all', args.on_pending ? parts.pending : undefined),
        args,
      )
    })
  },
})

export const simulate = emulateEndpoint({
  name: 'simulate',
  methods: ['POST'],
  tags: ['emulate'],
  summary: 'Run several steps on one changed world: messages, get-methods, overrides, time.',
  params: {
    steps: StepsParam,
    ignore_chksig: withDefault(param(IgnoreSignatures, readIgnored), false),
    stop_on_error: withDefault(param(Type.Boolean({ description: 'Skip the steps after one that failed.' })), true),
    include_accounts: withDefault(param(Type.Boolean({ description: 'Include the final states.' })), false),
    ...shownParams,
    ...worldParams,
  },
  headers: actionHeaders,
  result: SimulationView,
  errors: [...errors],
  timeoutMs: MAX_MS,
  async handle(parts, { steps, ignore_chksig: ignored, stop_on_error: stops, include_accounts, ...args }) {
    expectAllowed(parts, args)
    const { steps: most } = limitsOf(parts.call)
    if (steps.length > most) throw new ForbiddenError(`This plan runs at most ${most} steps.`)
    return withWorld(parts, args, async (world) => {
      const { simulation, randomSeed } = world
      if (args.on_pending) throw new EmulateRequestError('on_pending is for emulateTrace and emulateTonConnect')
      const { results, ...totals } = await runSteps(parts, world, { steps, ignored, stops }, args)
      const states = include_accounts ? await finalStates(simulation) : undefined
      return {
        mc_block_seqno: simulation.block.seqno,
        rand_seed: toBase64(randomSeed),
        steps: [...results],
        ...(args.summary && { summary: toSummaryView(await summarize({ simulation, ...totals })) }),
        ...(states !== undefined && {
          accounts: Object.fromEntries([...states].map(([name, state]) => [name, toFinalStateView(state)])),
        }),
      }
    })
  },
})
