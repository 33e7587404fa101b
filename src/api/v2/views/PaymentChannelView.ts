import { type Static, Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { type ChannelConfig, type ChannelState, findPaymentChannel } from '../../../contracts/paymentChannel.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { AccountAddressView, toAccountAddressView } from './AccountAddressView.ts'
import { typeName } from './scalars.ts'

/** A 64-bit number that is no text in these objects. */
const amount = Type.BigInt()

const ConfigView = Type.Object(
  {
    '@type': typeName('pchan.config'),
    alice_public_key: Type.String(),
    alice_address: AccountAddressView,
    bob_public_key: Type.String(),
    bob_address: AccountAddressView,
    init_timeout: Type.Integer(),
    close_timeout: Type.Integer(),
    channel_id: amount,
  },
  { $id: 'pchan.config' },
)

const openMembers = {
  signed_A: Type.Boolean(),
  signed_B: Type.Boolean(),
  min_A: amount,
  min_B: amount,
  expire_at: Type.Integer(),
  A: amount,
  B: amount,
}

const StateView = Type.Union([
  Type.Object({ '@type': typeName('pchan.stateInit'), ...openMembers }, { $id: 'pchan.stateInit' }),
  Type.Object({ '@type': typeName('pchan.stateClose'), ...openMembers }, { $id: 'pchan.stateClose' }),
  Type.Object({ '@type': typeName('pchan.statePayout'), A: amount, B: amount }, { $id: 'pchan.statePayout' }),
])

export const PaymentChannelView = Type.Object(
  { '@type': typeName('pchan.accountState'), config: ConfigView, state: StateView, description: Type.String() },
  { $id: 'pchan.accountState' },
)

/** The data of a payment channel; `undefined` where it is not laid out as such. */
export const findPaymentChannelView = (data: Cell): Static<typeof PaymentChannelView> | undefined => {
  const channel = findPaymentChannel(data)
  return (
    channel && {
      '@type': 'pchan.accountState',
      config: toConfigView(channel.config),
      state: toStateView(channel.state),
      description: '',
    }
  )
}

const toConfigView = ({ a, b, initTimeout, closeTimeout, channelId }: ChannelConfig): Static<typeof ConfigView> => ({
  '@type': 'pchan.config',
  alice_public_key: toBase64(a.publicKey),
  alice_address: toAccountAddressView(a.address),
  bob_public_key: toBase64(b.publicKey),
  bob_address: toAccountAddressView(b.address),
  init_timeout: initTimeout | 0,
  close_timeout: closeTimeout | 0,
  channel_id: BigInt.asIntN(64, channelId),
})

const toStateView = (state: ChannelState): Static<typeof StateView> => {
  if (state.kind === 'payout') return { '@type': 'pchan.statePayout', A: state.amountA, B: state.amountB }
  const { signedA, signedB, expireAt, amountA, amountB } = state
  const [minA, minB] = state.kind === 'init' ? [state.minA, state.minB] : [state.promiseA, state.promiseB]
  return {
    '@type': state.kind === 'init' ? 'pchan.stateInit' : 'pchan.stateClose',
    signed_A: signedA,
    signed_B: signedB,
    min_A: minA,
    min_B: minB,
    expire_at: expireAt,
    A: amountA,
    B: amountB,
  }
}
