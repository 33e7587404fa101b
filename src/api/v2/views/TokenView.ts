import { type Static, Type } from 'typebox'
import type {
  JettonMaster,
  JettonWallet,
  NftCollection,
  NftItem,
  TokenFacts,
} from '../../../contracts/tokens/findToken.ts'
import { formatFriendlyAddress } from '../../../primitives/Address.ts'
import { DomainContentView, toDomainContentView } from './DomainContentView.ts'
import { BytesView, FriendlyView, toCellBytes, typeName } from './scalars.ts'
import { TokenContentView, toTokenContentView } from './TokenContentView.ts'

const members = <const Name extends string, const Kind extends string>(name: Name, kind: Kind) => ({
  '@type': typeName(`ext.tokens.${name}` as const),
  address: Type.String({ description: 'The address that was asked for.' }),
  contract_type: Type.Literal(kind),
})

const NumberView = Type.String({ description: 'A decimal number.', examples: ['1256732342639'] })
const MaybeFriendlyView = Type.Optional(FriendlyView)

const JettonMasterView = Type.Object(
  {
    ...members('jettonMasterData', 'jetton_master'),
    total_supply: NumberView,
    mintable: Type.Boolean(),
    admin_address: MaybeFriendlyView,
    jetton_content: TokenContentView,
    jetton_wallet_code: BytesView,
  },
  { $id: 'JettonMaster' },
)

const JettonWalletView = Type.Object(
  {
    ...members('jettonWalletData', 'jetton_wallet'),
    balance: NumberView,
    owner: FriendlyView,
    jetton: FriendlyView,
    mintless_is_claimed: Type.Optional(Type.Boolean()),
    jetton_wallet_code: BytesView,
  },
  { $id: 'JettonWallet' },
)

const NftCollectionView = Type.Object(
  {
    ...members('nftCollectionData', 'nft_collection'),
    next_item_index: NumberView,
    owner_address: MaybeFriendlyView,
    collection_content: TokenContentView,
  },
  { $id: 'NftCollection' },
)

const NftItemView = Type.Object(
  {
    ...members('nftItemData', 'nft_item'),
    init: Type.Boolean(),
    index: NumberView,
    collection_address: MaybeFriendlyView,
    owner_address: MaybeFriendlyView,
    content: Type.Union([TokenContentView, DomainContentView]),
  },
  { $id: 'NftItem' },
)

/** One of the token contracts. */
export const TokenView = Type.Union([JettonMasterView, JettonWalletView, NftCollectionView, NftItemView])

/** `address` is repeated as it was asked for; `domainName` is that of an item that is a name. */
export const toTokenView = (token: TokenFacts, address: string, domainName: string): Static<typeof TokenView> => {
  switch (token.kind) {
    case 'jettonMaster':
      return toJettonMasterView(token, address)
    case 'jettonWallet':
      return toJettonWalletView(token, address)
    case 'nftCollection':
      return toNftCollectionView(token, address)
    case 'nftItem':
      return toNftItemView(token, address, domainName)
  }
}

const toJettonMasterView = (
  { totalSupply, mintable, admin, content, walletCode }: JettonMaster,
  address: string,
): Static<typeof JettonMasterView> => ({
  '@type': 'ext.tokens.jettonMasterData',
  address,
  contract_type: 'jetton_master',
  total_supply: totalSupply.toString(),
  mintable,
  ...(admin !== undefined && { admin_address: formatFriendlyAddress(admin) }),
  jetton_content: toTokenContentView(content),
  jetton_wallet_code: toCellBytes(walletCode),
})

const toJettonWalletView = (
  { balance, owner, master, walletCode, mintlessClaimed }: JettonWallet,
  address: string,
): Static<typeof JettonWalletView> => ({
  '@type': 'ext.tokens.jettonWalletData',
  address,
  contract_type: 'jetton_wallet',
  balance: balance.toString(),
  owner: formatFriendlyAddress(owner),
  jetton: formatFriendlyAddress(master),
  ...(mintlessClaimed !== undefined && { mintless_is_claimed: mintlessClaimed }),
  jetton_wallet_code: toCellBytes(walletCode),
})

const toNftCollectionView = (
  { nextItemIndex, owner, content }: NftCollection,
  address: string,
): Static<typeof NftCollectionView> => ({
  '@type': 'ext.tokens.nftCollectionData',
  address,
  contract_type: 'nft_collection',
  next_item_index: nextItemIndex.toString(),
  ...(owner !== undefined && { owner_address: formatFriendlyAddress(owner) }),
  collection_content: toTokenContentView(content),
})

const toNftItemView = (
  { initialized, index, collection, owner, content, domain }: NftItem,
  address: string,
  domainName: string,
): Static<typeof NftItemView> => ({
  '@type': 'ext.tokens.nftItemData',
  address,
  contract_type: 'nft_item',
  init: initialized,
  index: index.toString(),
  ...(collection !== undefined && { collection_address: formatFriendlyAddress(collection) }),
  ...(owner !== undefined && { owner_address: formatFriendlyAddress(owner) }),
  content: domain === undefined ? toTokenContentView(content) : toDomainContentView(domain, domainName),
})
