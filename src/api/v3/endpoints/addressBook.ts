import { AddressTextsParam, findAddressKey } from '../addressTexts.ts'
import { readAddressBook } from '../hydrate/readAddressBook.ts'
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
    const book = await readAddressBook(
      context,
      [...keys.values()].filter((key) => key !== undefined),
    )
    const rows = [...keys].map(([text, key]): [string, AddressBookRow] => [text, findRow(book, key) ?? unreadable])
    return Object.fromEntries(rows)
  },
})

const unreadable: AddressBookRow = { user_friendly: null, domain: null, interfaces: [] }

const findRow = (book: Readonly<Record<string, AddressBookRow>>, key: Uint8Array | undefined) =>
  key && book[addressText(key)]
