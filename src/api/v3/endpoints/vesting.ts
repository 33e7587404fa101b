import { type Static, Type } from 'typebox'
import { listVestings, type Vesting, type VestingFilter } from '../../../store/reader/vestings.ts'
import { optional, withDefault } from '../../core/params.ts'
import { RefusedRequestError } from '../errors.ts'
import { hydrateAddressBook } from '../hydrate/hydrate.ts'
import { addressListParam, boolParam, pageParams } from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView } from '../views/addressBook.ts'
import { AddressText, addressText, DecimalText } from '../views/scalars.ts'

const VestingView = Type.Object(
  {
    address: AddressText,
    start_time: Type.Integer(),
    total_duration: Type.Integer(),
    unlock_period: Type.Integer(),
    cliff_duration: Type.Integer(),
    sender_address: AddressText,
    owner_address: AddressText,
    total_amount: DecimalText,
    whitelist: Type.Array(AddressText),
  },
  { $id: 'VestingInfo' },
)

const toVestingView = (vesting: Vesting): Static<typeof VestingView> => ({
  address: addressText(vesting.address),
  start_time: Number(vesting.startTime),
  total_duration: Number(vesting.totalDuration),
  unlock_period: Number(vesting.unlockPeriod),
  cliff_duration: Number(vesting.cliffDuration),
  sender_address: addressText(vesting.sender),
  owner_address: addressText(vesting.owner),
  total_amount: String(vesting.totalAmount),
  whitelist: vesting.whitelist.map(addressText),
})

type Keys = readonly Uint8Array[] | undefined

const readFilter = (contracts: Keys, wallets: Keys, withListed: boolean): VestingFilter => {
  if (contracts !== undefined && wallets !== undefined) {
    throw new RefusedRequestError('only one of contract_address or wallet_address should be specified')
  }
  if (contracts !== undefined) return { contracts }
  if (wallets !== undefined) return { wallets, withListed }
  throw new RefusedRequestError('at least one of contract_address or wallet_address is required')
}

export const vesting = v3Endpoint({
  name: 'vesting',
  tags: ['vesting'],
  summary: 'List vesting contracts in the order of discovery.',
  params: {
    contract_address: optional(addressListParam('Vesting contract addresses.')),
    wallet_address: optional(addressListParam('Owner or sender addresses.')),
    check_whitelist: withDefault(boolParam('Also match whitelisted addresses.'), false),
    ...pageParams,
  },
  result: Type.Object(
    { vesting_contracts: Type.Array(VestingView), address_book: AddressBookView },
    { $id: 'VestingContractsResponse' },
  ),
  errors: ['cursor_refused'],
  async handle(context, params) {
    const filter = readFilter(params.contract_address, params.wallet_address, params.check_whitelist)
    const { rows, next } = await listVestings(context.listReads, filter, context.readPage(params))
    context.tellNext(next)
    const addresses = rows.flatMap(({ address, sender, owner, whitelist }) => [address, sender, owner, ...whitelist])
    return { vesting_contracts: rows.map(toVestingView), ...(await hydrateAddressBook(context, addresses)) }
  },
})
