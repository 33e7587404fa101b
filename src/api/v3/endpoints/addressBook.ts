import { asJson } from '../../core/json/JsonText.ts'
import { AddressTextsParam, findAddressKey } from '../addressTexts.ts'
import { readBookRows } from '../hydrate/readAddressBook.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { type AddressBookRow, AddressBookView } from '../views/AddressBookView.ts'
import { addressText } from '../views/scalars.ts'

export const addressBook = v3Endpoint({
  name: 'addressBook',
  tags: ['accounts'],
  summary: 'How to show addresses, each under the spelling in which it was given.',
  params: { address: AddressTextsParam },
  result: AddressBookView,
  errors: [],
  async handle(context, { address }) {
    const keys = new Map(address.map((text) => [text, findAddressKey(text)]))
    const book = await readBookRows(
      context,
      [...keys.values()].filter((key) => key !== undefined),
    )
    const rowOf = (key: Uint8Array | undefined): string => (key && book.get(addressText(key))) ?? UNREADABLE
    return Object.fromEntries([...keys].map(([text, key]) => [text, asJson<AddressBookRow>(rowOf(key))]))
  },
})

const UNREADABLE = JSON.stringify({ user_friendly: null, domain: null, interfaces: [] } satisfies AddressBookRow)
