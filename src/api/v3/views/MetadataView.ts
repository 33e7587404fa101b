import { type Static, Type } from 'typebox'

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
