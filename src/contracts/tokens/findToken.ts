import type { Cell } from '../../codec/cell/Cell.ts'
import { type Address, addressesEqual } from '../../primitives/Address.ts'
import { findItemDomain, type ItemDomain } from '../dns/domainItems.ts'
import {
  addressArgument,
  cellArgument,
  findReadable,
  intArgument,
  type MethodResult,
  ResultReader,
  type RunMethod,
} from '../getMethods.ts'
import { readTokenContent, type TokenContent } from './tokenContent.ts'

/** The contract that issues a jetton (TEP-74). */
export type JettonMaster = {
  readonly kind: 'jettonMaster'
  readonly totalSupply: bigint
  readonly mintable: boolean
  /** Absent after the admin was renounced. */
  readonly admin: Address | undefined
  readonly content: TokenContent
  readonly walletCode: Cell
}

/** Where an owner keeps jettons of one master, which vouches for it. */
export type JettonWallet = {
  readonly kind: 'jettonWallet'
  readonly balance: bigint
  readonly owner: Address
  readonly master: Address
  readonly walletCode: Cell
  /** Of jettons that are claimed instead of minted (TEP-177): whether this wallet did. */
  readonly mintlessClaimed: boolean | undefined
}

/** The contract that issues NFTs (TEP-62). */
export type NftCollection = {
  readonly kind: 'nftCollection'
  /** -1 where items are not numbered in order. */
  readonly nextItemIndex: bigint
  readonly content: TokenContent
  readonly owner: Address | undefined
}

/** One NFT; where it names a collection, that vouches for it. */
export type NftItem = {
  readonly kind: 'nftItem'
  readonly initialized: boolean
  readonly index: bigint
  readonly collection: Address | undefined
  readonly owner: Address | undefined
  readonly content: TokenContent
  /** Of items that are domain names. */
  readonly domain: ItemDomain | undefined
}

export type TokenFacts = JettonMaster | JettonWallet | NftCollection | NftItem

/** The jetton that this contract issues, if it does. */
export const findJettonMaster = async (run: RunMethod, address: Address): Promise<JettonMaster | undefined> => {
  const result = await run(address, 'get_jetton_data', [])
  return findReadable(() => readJettonData(result))
}

const readJettonData = (result: MethodResult): JettonMaster => {
  const r = new ResultReader(result)
  return {
    kind: 'jettonMaster',
    totalSupply: r.readInt(),
    mintable: r.readBool(),
    admin: r.readMaybeAddress(),
    content: readTokenContent(r.readCell()),
    walletCode: r.readCell(),
  }
}

/** Owner and jetton master that a jetton wallet states. */
export type WalletClaim = Pick<JettonWallet, 'owner' | 'master'>

/**
 * The jetton wallet that this contract is, where its master says the same. The master is not asked again about a claim that
 * `isVouchedFor` knows.
 */
export const findJettonWallet = async (
  run: RunMethod,
  address: Address,
  isVouchedFor: (claim: WalletClaim) => boolean = () => false,
): Promise<JettonWallet | undefined> => {
  const result = await run(address, 'get_wallet_data', [])
  const wallet = findReadable(() => readWalletData(result))
  if (wallet === undefined) return undefined
  if (!isVouchedFor(wallet) && !(await masterVouches(run, wallet, address))) return undefined
  return { ...wallet, mintlessClaimed: await findClaimed(run, address) }
}

const readWalletData = (result: MethodResult): Omit<JettonWallet, 'mintlessClaimed'> => {
  const r = new ResultReader(result)
  return {
    kind: 'jettonWallet',
    balance: r.readInt(),
    owner: r.readAddress(),
    master: r.readAddress(),
    walletCode: r.readCell(),
  }
}

const masterVouches = async (run: RunMethod, { master, owner }: WalletClaim, address: Address): Promise<boolean> => {
  const result = await run(master, 'get_wallet_address', [addressArgument(owner)])
  const named = findReadable(() => new ResultReader(result).readAddress())
  return named !== undefined && addressesEqual(named, address)
}

/** Only one number alone is an answer; other contracts have a method of this name too. */
const findClaimed = async (run: RunMethod, address: Address): Promise<boolean | undefined> => {
  const result = await run(address, 'is_claimed', [])
  return result.stack.length === 1 ? findReadable(() => new ResultReader(result).readBool()) : undefined
}

/** The collection that this contract is, if it is one. */
export const findNftCollection = async (run: RunMethod, address: Address): Promise<NftCollection | undefined> => {
  const result = await run(address, 'get_collection_data', [])
  return findReadable(() => readCollectionData(result))
}

const readCollectionData = (result: MethodResult): NftCollection => {
  const r = new ResultReader(result)
  return {
    kind: 'nftCollection',
    nextItemIndex: r.readInt(),
    content: readTokenContent(r.readCell()),
    owner: r.readMaybeAddress(),
  }
}

/** As the item tells it: what its content means is for its collection to say. */
type OwnData = Omit<VouchedItem, 'content'> & { readonly individualContent: Cell }

/** An item without what it may stand for besides. */
export type VouchedItem = Omit<NftItem, 'domain'>

/** Which item of which collection a contract says to be. */
export type ItemClaim = { readonly collection: Address; readonly index: bigint }

/**
 * The item that this contract is, where the collection it names says the same. The collection is not asked again about a claim
 * that `isVouchedFor` knows.
 */
export const findVouchedItem = async (
  run: RunMethod,
  address: Address,
  isVouchedFor: (claim: ItemClaim) => boolean = () => false,
): Promise<VouchedItem | undefined> => {
  const result = await run(address, 'get_nft_data', [])
  const own = findReadable(() => readNftData(result))
  if (own === undefined) return undefined
  const { individualContent, ...item } = own
  const { collection, index } = item
  if (collection === undefined) {
    const content = findReadable(() => readTokenContent(individualContent))
    return content === undefined ? undefined : { ...item, content }
  }
  if (!isVouchedFor({ collection, index }) && !(await collectionVouches(run, collection, index, address))) {
    return undefined
  }
  const content = await findCollectionContent(run, collection, own)
  return content === undefined ? undefined : { ...item, content }
}

const readNftData = (result: MethodResult): OwnData => {
  const r = new ResultReader(result)
  return {
    kind: 'nftItem',
    initialized: r.readBool(),
    index: r.readInt(),
    collection: r.readMaybeAddress(),
    owner: r.readMaybeAddress(),
    individualContent: r.readCell(),
  }
}

const collectionVouches = async (
  run: RunMethod,
  collection: Address,
  index: bigint,
  address: Address,
): Promise<boolean> => {
  const result = await run(collection, 'get_nft_address_by_index', [intArgument(index)])
  const named = findReadable(() => new ResultReader(result).readAddress())
  return named !== undefined && addressesEqual(named, address)
}

const findCollectionContent = async (
  run: RunMethod,
  collection: Address,
  { index, individualContent }: OwnData,
): Promise<TokenContent | undefined> => {
  const stack = [intArgument(index), cellArgument(individualContent)]
  const result = await run(collection, 'get_nft_content', stack)
  return findReadable(() => readTokenContent(new ResultReader(result).readCell()))
}

/** The item that this contract is, and the name that it stands for where it is one. */
const findNftItem = async (run: RunMethod, address: Address): Promise<NftItem | undefined> => {
  const item = await findVouchedItem(run, address)
  if (item === undefined) return undefined
  return { ...item, domain: item.collection === undefined ? undefined : await findItemDomain(run, address) }
}

/** The token contract at this address: the first kind in this order that fits; a contract may fit several. */
export const findToken = async (run: RunMethod, address: Address): Promise<TokenFacts | undefined> =>
  (await findJettonMaster(run, address)) ??
  (await findJettonWallet(run, address)) ??
  (await findNftCollection(run, address)) ??
  (await findNftItem(run, address))
