import { type Static, Type } from 'typebox'

const AddressBookRowView = Type.Object(
  {
    user_friendly: Type.Union([Type.String(), Type.Null()], {
      description: 'User-friendly form: non-bounceable for wallets and uninitialized accounts, otherwise bounceable.',
      examples: ['UQDuNSmeLEPRRVCAJTtr-dNQ_j7HNTzZCi8H3zHOaLbvbG5x'],
    }),
    domain: Type.Union([Type.String(), Type.Null()], {
      description: 'Shortest domain that is owned by the address and resolves to it.',
      examples: ['alice.ton'],
    }),
    interfaces: Type.Array(Type.String(), { description: 'Interfaces of the contract.', examples: [['wallet_v5r1']] }),
  },
  { $id: 'AddressBookRow' },
)

export type AddressBookRow = Static<typeof AddressBookRowView>

export const AddressBookView = Type.Record(Type.String(), AddressBookRowView, {
  description: 'Display names of the addresses in a response.',
  $id: 'AddressBook',
})

export type AddressBook = Readonly<Record<string, AddressBookRow>>

const TokenInfoView = Type.Object(
  {
    valid: Type.Optional(Type.Boolean({ description: 'Absent until the metadata is fetched.' })),
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
    nft_index: Type.Optional(Type.String({ description: 'Index of an item in its collection.' })),
    is_nsfw: Type.Optional(Type.Boolean()),
    is_scam: Type.Optional(Type.Boolean()),
    extra: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { $id: 'TokenInfo' },
)

export type TokenInfo = Static<typeof TokenInfoView>

const AddressMetadataView = Type.Object(
  {
    is_indexed: Type.Boolean({ description: 'Whether all metadata is fetched.' }),
    token_info: Type.Array(TokenInfoView, { description: 'One entry per token role of the address.' }),
  },
  { $id: 'AddressMetadata' },
)

export type AddressMetadata = Static<typeof AddressMetadataView>

export const MetadataView = Type.Record(Type.String(), AddressMetadataView, {
  description: 'Metadata of the tokens in a response.',
  $id: 'Metadata',
})

export type Metadata = Readonly<Record<string, AddressMetadata>>
