import { type Static, Type } from 'typebox'
import type { DnsEntry } from '../../../codec/content/dns.ts'
import type { MsgAddressInt } from '../../../codec/tlb/MsgAddress.ts'
import { findDomainName, type ItemDomain } from '../../../contracts/dns/domainItems.ts'
import type { RunMethod } from '../../../contracts/getMethods.ts'
import {
  findToken,
  type JettonMaster,
  type JettonWallet,
  type NftCollection,
  type NftItem,
  type TokenFacts,
} from '../../../contracts/tokens/findToken.ts'
import type { TokenContent } from '../../../contracts/tokens/tokenContent.ts'
import { type Address, formatFriendlyAddress } from '../../../primitives/Address.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { toHex } from '../../../primitives/hex.ts'
import { optional } from '../../core/params.ts'
import { NotATokenError } from '../errors.ts'
import { createRunMethod } from '../getMethods/runMethod.ts'
import { AddressParam, formatGivenAddress, SeqnoParam } from '../params.ts'
import { readAccount } from '../readAccount.ts'
import { type V2Settings, v2Endpoint } from '../v2Endpoint.ts'
import { BytesView, FriendlyView, toCellBytes, typeName } from '../views/scalars.ts'

const StandardAddressView = Type.Object({
  '@type': typeName('addr_std'),
  workchain_id: Type.Integer(),
  address: Type.String({ description: '64 hex digits.' }),
})

const DomainRecordView = Type.Union(
  [
    Type.Object({ '@type': typeName('dns_smc_address'), smc_addr: StandardAddressView }),
    Type.Object({ '@type': typeName('dns_next_resolver'), resolver: StandardAddressView }),
    Type.Object({ '@type': typeName('dns_adnl_address'), adnl_addr: Type.String() }),
    Type.Object({ '@type': typeName('dns_storage_address'), bag_id: Type.String() }),
  ],
  { $id: 'DomainRecord' },
)

type DomainRecord = Static<typeof DomainRecordView>

const DomainContentView = Type.Object(
  {
    domain: Type.String({ examples: ['example.ton'] }),
    data: Type.Record(Type.String(), DomainRecordView, {
      description: 'DNS records by category name, or by category hash if the name is unknown.',
    }),
  },
  { $id: 'DomainContent', description: 'Content of a DNS item.' },
)

/** Other kinds of records are omitted. */
const toDomainContentView = (
  { entries }: Pick<ItemDomain, 'entries'>,
  domain: string,
): Static<typeof DomainContentView> => {
  const data: Record<string, DomainRecord> = {}
  for (const { name, category, value } of entries) {
    const record = toDomainRecord(value)
    if (record !== undefined) data[name ?? toHex(category).toUpperCase()] = record
  }
  return { domain, data }
}

const toDomainRecord = (value: DnsEntry['value']): DomainRecord | undefined => {
  switch (value.kind) {
    case 'smcAddress': {
      const address = toStandardAddress(value.address)
      return address && { '@type': 'dns_smc_address', smc_addr: address }
    }
    case 'nextResolver': {
      const resolver = toStandardAddress(value.resolver)
      return resolver && { '@type': 'dns_next_resolver', resolver }
    }
    case 'adnlAddress':
      return { '@type': 'dns_adnl_address', adnl_addr: toHex(value.adnl) }
    case 'storageAddress':
      return { '@type': 'dns_storage_address', bag_id: toHex(value.bagId) }
    case 'text':
    case 'other':
      return undefined
  }
}

const toStandardAddress = (address: MsgAddressInt): Static<typeof StandardAddressView> | undefined =>
  address.kind === 'std'
    ? { '@type': 'addr_std', workchain_id: address.workchain, address: toHex(address.hash) }
    : undefined

const AttributesView = Type.Record(Type.String(), Type.String(), {
  description: 'Attributes by TEP-64 name; image_data in base64.',
  examples: [{ name: 'Example', symbol: 'EX', decimals: '9' }],
})

const TokenContentView = Type.Union(
  [
    Type.Object({ type: Type.Literal('onchain'), data: AttributesView }),
    Type.Object({ type: Type.Literal('offchain'), data: Type.String({ examples: ['https://example.org/j.json'] }) }),
  ],
  { $id: 'TokenContent', description: 'Token content: on-chain attributes, or the off-chain URI.' },
)

const toTokenContentView = (content: TokenContent): Static<typeof TokenContentView> => {
  if (content.kind === 'offChain') return { type: 'offchain', data: content.uri }
  const { texts, imageData } = content
  const image = imageData === undefined ? {} : { image_data: toBase64(imageData) }
  return { type: 'onchain', data: { ...texts, ...image } }
}

const members = <const Name extends string, const Kind extends string>(name: Name, kind: Kind) => ({
  '@type': typeName(`ext.tokens.${name}` as const),
  address: Type.String({ description: 'The requested address.' }),
  contract_type: Type.Literal(kind),
})

const NumberView = Type.String({ description: 'Decimal number.', examples: ['1256732342639'] })
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
const TokenView = Type.Union([JettonMasterView, JettonWalletView, NftCollectionView, NftItemView])

/** `address` is the requested one, in the given form; `domainName` is the name of a DNS item. */
const toTokenView = (token: TokenFacts, address: string, domainName: string): Static<typeof TokenView> => {
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

export const getTokenData = v2Endpoint({
  name: 'getTokenData',
  tags: ['accounts', 'tokens'],
  summary: 'Token data of a jetton master, jetton wallet, NFT collection or NFT item.',
  params: { address: AddressParam, seqno: optional(SeqnoParam) },
  result: TokenView,
  errors: ['not_a_token'],
  // The configuration is always that of the newest block.
  lifetime: () => 'head',
  async handle(context, { address, seqno }) {
    const { block } = await readAccount(context.node, address, seqno)
    const shown = formatGivenAddress(address)
    const run = createRunMethod(context, block)
    const token = await findToken(run, address)
    if (token === undefined) throw new NotATokenError(shown)
    return toTokenView(token, shown, await nameOf(run, address, token, context.settings))
  },
})

/** The full domain name of a DNS item; in an unknown collection, below the top-level domain of the network. */
const nameOf = async (
  run: RunMethod,
  address: Address,
  token: TokenFacts,
  { topLevelDomain }: V2Settings,
): Promise<string> => {
  if (token.kind !== 'nftItem' || token.domain === undefined || token.collection === undefined) return ''
  const { label } = token.domain
  const known = await findDomainName(run, address, token.collection)
  return known ?? (label === undefined ? '' : `${label}.${topLevelDomain}`)
}
