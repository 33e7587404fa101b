import { Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { NO_EXTRA_CURRENCIES } from '../../../codec/tlb/CurrencyCollection.ts'
import type { AccountOverride } from '../../../devnet/collate/StepOrder.ts'
import { conflictingParams } from '../../core/errors.ts'
import { optional, param } from '../../core/Param.ts'
import { AddressParam, CoinsParam, HashParam } from '../../core/params.ts'
import { devEndpoint } from '../devEndpoint.ts'
import { CellParam, ExtraCurrenciesParam } from '../params.ts'
import { StatusView, toStatusView } from '../views/StatusView.ts'

const StateParam = param(
  Type.Union([Type.Literal('active'), Type.Literal('frozen'), Type.Literal('uninit'), Type.Literal('none')], {
    description:
      'active with code and data, frozen with state_hash, uninit with a balance only, none for no account at all.',
  }),
)

export const account = devEndpoint({
  name: 'account',
  methods: ['POST'],
  tags: ['accounts'],
  summary: 'Makes an account what it shall be, without a transaction.',
  description:
    'What is left out stays as it is. A balance is the whole balance: extra currencies that do not come with it are gone. ' +
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
      throw conflictingParams('extra_currencies', 'Extra currencies can be set together with a balance only.')
    }
    const balance = grams === undefined ? undefined : { grams, extra: extra ?? NO_EXTRA_CURRENCIES }
    const state = toState(rest)
    if (balance === undefined && state === undefined) {
      throw conflictingParams('balance', 'Either a balance or a state must be given: there is nothing to change.')
    }
    if (balance !== undefined && state?.kind === 'none') {
      throw conflictingParams('balance', 'An account that shall be gone has no balance.')
    }
    await network.setAccount({ address, balance, state })
    return toStatusView(network.getStatus())
  },
})

type StateWish = {
  readonly state: 'active' | 'frozen' | 'uninit' | 'none' | undefined
  readonly code: Cell | undefined
  readonly data: Cell | undefined
  readonly library: Cell | undefined
  readonly state_hash: Uint8Array | undefined
}

const toState = ({ state, code, data, library, state_hash: stateHash }: StateWish): AccountOverride['state'] => {
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
