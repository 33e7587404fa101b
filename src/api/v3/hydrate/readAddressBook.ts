import { findWalletKind } from '../../../contracts/wallets/findWalletKind.ts'
import { formatFriendlyAddress } from '../../../primitives/Address.ts'
import { ADDRESS_KEY_BYTES, parseAddressKey } from '../../../primitives/addressKey.ts'
import { findAccountCodes } from '../../../store/reader/findAccountCodes.ts'
import { findOwnDomains } from '../../../store/reader/findOwnDomains.ts'
import type { V3Parts } from '../V3Context.ts'
import type { AddressBook, AddressBookRow } from '../views/AddressBookView.ts'
import { addressText } from '../views/scalars.ts'
import { distinctKeys } from './distinctKeys.ts'
import { pickReader } from './pickReader.ts'
import { readInterfaces } from './readInterfaces.ts'

type Parts = Pick<V3Parts, 'points' | 'lists' | 'settings'>

/** How to show these addresses, whatever the caller said of address books. Each is in it, also where nobody has it. */
export const readAddressBook = async (parts: Parts, addresses: Iterable<Uint8Array>): Promise<AddressBook> => {
  const keys = distinctKeys(addresses)
  const accounts = keys.filter(({ length }) => length === ADDRESS_KEY_BYTES)
  const reader = pickReader(parts, accounts.length)
  const [codes, domains] = await Promise.all([findAccountCodes(reader, accounts), findOwnDomains(reader, accounts)])
  const interfacesOf = await readInterfaces(
    reader,
    codes.map(({ codeHash }) => codeHash),
  )
  const codeOf = new Map(codes.map(({ account, codeHash }) => [addressText(account), codeHash]))
  const domainOf = new Map(domains.map(({ account, domain }) => [addressText(account), domain]))
  const rows = keys.map((key): [string, AddressBookRow] => {
    const text = addressText(key)
    const codeHash = codeOf.get(text)
    const row = {
      user_friendly: friendlyForm(key, codeHash, parts.settings.testOnly),
      domain: domainOf.get(text) ?? null,
      interfaces: codeHash === undefined ? [] : interfacesOf(codeHash),
    }
    return [text, row]
  })
  return Object.fromEntries(rows)
}

/** What is sent to a wallet, or to nobody, stays there: bounced messages are for contracts. */
const friendlyForm = (key: Uint8Array, codeHash: Uint8Array | undefined, testOnly: boolean): string => {
  const address = parseAddressKey(key)
  if (typeof address === 'string') return 'addr_none'
  const bounceable = codeHash !== undefined && findWalletKind(codeHash)?.walletType === undefined
  return formatFriendlyAddress(address, { bounceable, testOnly })
}
