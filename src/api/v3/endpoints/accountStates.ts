import { Type } from 'typebox'
import type { Reader } from '../../../store/connect/Database.ts'
import { type AccountState, findAccountStates } from '../../../store/reader/accounts.ts'
import { optional, whenMissing, withDefault } from '../../core/Param.ts'
import { distinctKeys } from '../hydrate/distinctKeys.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import { pickReader } from '../hydrate/pickReader.ts'
import { readCodes } from '../hydrate/readCodes.ts'
import { addressFilterParam, boolParam, hashListParam } from '../params.ts'
import { RefusedRequestError } from '../RefusedRequestError.ts'
import { readCodeBocs } from '../readCodeBocs.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AccountStateFullView, type ShownCode, toAccountStateFullView } from '../views/AccountStateFullView.ts'
import { AddressBookView } from '../views/AddressBookView.ts'
import { MetadataView } from '../views/MetadataView.ts'

export const accountStates = v3Endpoint({
  name: 'accountStates',
  tags: ['accounts'],
  summary: 'Accounts as they are now. Those that are not known are left out.',
  params: {
    address: whenMissing(
      addressFilterParam('The accounts.'),
      new RefusedRequestError('address of account is required'),
    ),
    include_boc: withDefault(boolParam('False leaves out code and data.'), true),
    code_hash: optional(hashListParam('Only accounts with one of these codes.')),
  },
  result: Type.Object(
    { accounts: Type.Array(AccountStateFullView), address_book: AddressBookView, metadata: MetadataView },
    { $id: 'AccountStatesResponse' },
  ),
  errors: [],
  async handle(context, { address, include_boc, code_hash }) {
    if (address.length === 0) return { accounts: [], address_book: {}, metadata: {} }
    const accounts = distinctKeys(address)
    const reader = pickReader(context, accounts.length)
    const data = include_boc ? 'all' : 'none'
    const states = await findAccountStates(reader, { accounts, codeHashes: code_hash, data })
    const [codeOf, beside] = await Promise.all([
      readShownCodes(reader, states, include_boc),
      hydrate(
        context,
        states.map(({ account }) => account),
      ),
    ])
    return { accounts: states.map((state) => toAccountStateFullView(state, codeOf(state))), ...beside }
  },
})

const readShownCodes = async (reader: Reader, states: readonly AccountState[], withBocs: boolean) => {
  const hashes = distinctKeys(states.flatMap(({ codeHash }) => codeHash ?? []))
  const [bocOf, codeOf] = await Promise.all([readCodeBocs(reader, withBocs ? hashes : []), readCodes(reader, hashes)])
  return ({ codeHash }: AccountState): ShownCode | undefined =>
    codeHash && { boc: bocOf(codeHash), ...codeOf(codeHash) }
}
