import { Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { emptyCell } from '../../../codec/cell/CellWriter.ts'
import { writeWhole } from '../../../codec/cell/wholeCell.ts'
import { writeComment } from '../../../codec/content/text.ts'
import { NO_EXTRA_CURRENCIES } from '../../../codec/tlb/CurrencyCollection.ts'
import type { AccountOverride } from '../../../devnet/collate/StepRequest.ts'
import { conflictingParams } from '../../core/errors.ts'
import { AddressParam, CoinsParam, HashParam, optional, param, withDefault } from '../../core/params.ts'
import { CellParam, devEndpoint, ExtraCurrenciesParam, StateInitParam } from '../devEndpoint.ts'
import { SentView, StatusView, toSentView, toStatusView } from '../views.ts'

const StateParam = param(
  Type.Union([Type.Literal('active'), Type.Literal('frozen'), Type.Literal('uninit'), Type.Literal('none')], {
    description:
      'active: with code and data; frozen: with state_hash; uninit: balance only; none: deletes the account.',
  }),
)

export const account = devEndpoint({
  name: 'account',
  methods: ['POST'],
  tags: ['accounts'],
  summary: 'Override the balance or state of an account, without a transaction.',
  description:
    'Omitted parts stay unchanged. A balance replaces the whole balance: extra currencies that are not given are removed. ' +
    'The difference counts as minted or burned in the next block.',
  params: {
    address: AddressParam,
    balance: optional(CoinsParam),
    extra_currencies: optional(ExtraCurrenciesParam),
    state: optional(StateParam),
    code: optional(CellParam),
    data: optional(CellParam),
    library: optional(CellParam),
    state_hash: optional(HashParam),
  },
  result: StatusView,
  errors: ['dev_input_invalid', 'dev_step_failed', 'dev_network_closed'],
  async handle(network, { address, balance: grams, extra_currencies: extra, ...rest }) {
    if (grams === undefined && extra !== undefined) {
      throw conflictingParams('extra_currencies', 'extra_currencies needs balance: set both together with a balance.')
    }
    const balance = grams === undefined ? undefined : { grams, extra: extra ?? NO_EXTRA_CURRENCIES }
    const state = toState(rest)
    if (balance === undefined && state === undefined) {
      throw conflictingParams('balance', 'Give a balance or a state: there is nothing to change.')
    }
    if (balance !== undefined && state?.kind === 'none') {
      throw conflictingParams('balance', 'The state none has no balance: omit balance.')
    }
    await network.setAccount({ address, balance, state })
    return toStatusView(network.getStatus())
  },
})

type StateArguments = {
  readonly state: 'active' | 'frozen' | 'uninit' | 'none' | undefined
  readonly code: Cell | undefined
  readonly data: Cell | undefined
  readonly library: Cell | undefined
  readonly state_hash: Uint8Array | undefined
}

const toState = ({ state, code, data, library, state_hash: stateHash }: StateArguments): AccountOverride['state'] => {
  if (state !== 'active' && (code !== undefined || data !== undefined || library !== undefined)) {
    throw conflictingParams('state', 'code, data and library go with the state active only.')
  }
  if ((state === 'frozen') !== (stateHash !== undefined)) {
    throw conflictingParams('state_hash', 'The state frozen and state_hash go together.')
  }
  if (state === 'active') {
    return { kind: state, init: { fixedPrefixLength: undefined, special: undefined, code, data, library } }
  }
  if (stateHash !== undefined) return { kind: 'frozen', stateHash }
  return state === 'uninit' || state === 'none' ? { kind: state } : undefined
}

export const faucet = devEndpoint({
  name: 'faucet',
  methods: ['POST'],
  tags: ['accounts'],
  summary: 'Send test coins to an address.',
  params: { address: AddressParam, amount: withDefault(CoinsParam, '10000000000') },
  result: SentView,
  errors: ['dev_input_invalid', 'lite_refusal', 'dev_step_failed', 'dev_network_closed'],
  handle: async (network, { address, amount }) => toSentView(await network.faucet(address, amount)),
})

const BounceParam = param(
  Type.Boolean({ description: 'Bounce flag: the value returns to the source if the destination fails.' }),
)

const CommentParam = param(
  Type.String({ maxLength: 10_000, description: 'Text comment, instead of a body.', examples: ['hello'] }),
  (text): Cell => writeWhole(writeComment, { kind: 'text', bytes: new TextEncoder().encode(text) }),
)

export const impersonate = devEndpoint({
  name: 'impersonate',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Send an internal message from any address.',
  description: 'The value counts as minted. The message is processed like any other.',
  params: {
    source: AddressParam,
    destination: AddressParam,
    value: CoinsParam,
    extra_currencies: optional(ExtraCurrenciesParam),
    bounce: withDefault(BounceParam, true),
    state_init: optional(StateInitParam),
    body: optional(CellParam),
    comment: optional(CommentParam),
  },
  result: SentView,
  errors: ['dev_input_invalid', 'dev_step_failed', 'dev_network_closed'],
  async handle(network, params) {
    const { source, destination, value, extra_currencies: extra, bounce, state_init: stateInit, body, comment } = params
    if (body !== undefined && comment !== undefined) {
      throw conflictingParams('comment', 'A message has a body or a comment, not both.')
    }
    const message = {
      source,
      destination,
      value: { grams: value, extra: extra ?? NO_EXTRA_CURRENCIES },
      bounce,
      stateInit,
      body: body ?? comment ?? emptyCell,
    }
    return toSentView(await network.impersonate(message))
  },
})

export const send = devEndpoint({
  name: 'send',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Send an external message, like a liteserver does.',
  params: { boc: CellParam },
  result: SentView,
  errors: ['lite_refusal', 'dev_network_closed'],
  handle: async (network, { boc }) => toSentView(await network.send(boc)),
})

export const log = devEndpoint({
  name: 'log',
  methods: ['GET'],
  tags: ['accounts'],
  summary: 'VM log of a transaction, instruction by instruction.',
  description: 'The transaction is replayed from the previous account state and must give the same result.',
  params: { hash: HashParam },
  result: Type.Object({ log: Type.String() }),
  errors: [
    'dev_transaction_not_found',
    'dev_transaction_not_repeatable',
    'vm_busy',
    'vm_timeout',
    'vm_crashed',
    'dev_network_closed',
  ],
  timeoutMs: 60_000,
  handle: async (network, { hash }) => ({ log: await network.getTransactionLog(hash) }),
})
