import { type Static, Type } from 'typebox'

const AddressBookRowView = Type.Object(
  {
    user_friendly: Type.Union([Type.String(), Type.Null()], {
      description: 'The form that people use: bounceable, unless it is the address of a wallet or of nobody yet.',
      examples: ['UQDuNSmeLEPRRVCAJTtr-dNQ_j7HNTzZCi8H3zHOaLbvbG5x'],
    }),
    domain: Type.Union([Type.String(), Type.Null()], {
      description: 'The shortest domain that belongs to the address and leads to it.',
      examples: ['alice.ton'],
    }),
    interfaces: Type.Array(Type.String(), { description: 'What the contract is.', examples: [['wallet_v5r1']] }),
  },
  { $id: 'AddressBookRow' },
)

export type AddressBookRow = Static<typeof AddressBookRowView>

export const AddressBookView = Type.Record(Type.String(), AddressBookRowView, {
  description: 'How to show the addresses of an answer.',
  $id: 'AddressBook',
})

export type AddressBook = Readonly<Record<string, AddressBookRow>>
