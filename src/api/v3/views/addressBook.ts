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

const TokenInfoView = Type.Object(
  {
    valid: Type.Optional(Type.Boolean({ description: 'Absent until it has been looked for.' })),
    type: Type.Union([
      Type.Literal('nft_items'),
      Type.Literal('nft_collections'),
      Type.Literal('jetton_masters'),
      Type.Literal('jetton_wallets'),
    ]),
    name: Type.Optional(Type.String()),
    symbol: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    image: Type.Optional(Type.String()),
    nft_index: Type.Optional(Type.String({ description: 'The number of an item in its collection.' })),
    is_nsfw: Type.Optional(Type.Boolean()),
    is_scam: Type.Optional(Type.Boolean()),
    extra: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { $id: 'TokenInfo' },
)

export type TokenInfo = Static<typeof TokenInfoView>

const AddressMetadataView = Type.Object(
  {
    is_indexed: Type.Boolean({ description: 'Whether all of it has been looked for.' }),
    token_info: Type.Array(TokenInfoView, { description: 'One for each role that the address has.' }),
  },
  { $id: 'AddressMetadata' },
)

export type AddressMetadata = Static<typeof AddressMetadataView>

export const MetadataView = Type.Record(Type.String(), AddressMetadataView, {
  description: 'What tokens among the addresses of an answer say of themselves.',
  $id: 'Metadata',
})

export type Metadata = Readonly<Record<string, AddressMetadata>>
