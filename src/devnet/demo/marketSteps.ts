import type { Cell } from '../../codec/cell/Cell.ts'
import type { VmStack } from '../../codec/tlb/VmStack.ts'
import { type Address, addressesEqual } from '../../primitives/Address.ts'
import { auctionPayload, cancelSaleBody, changePriceBody, sellForPayload } from '../contracts/marketContracts.ts'
import { commentBody } from '../contracts/messages.ts'
import { nftDeployBody, nftItemAddress, nftTransferBody } from '../contracts/nftContracts.ts'
import type { DevAccount } from '../wallets/createDevAccounts.ts'
import { type DemoStage, type DemoStep, request } from './DemoStep.ts'
import { itemContent } from './deployDemo.ts'
import { findAddress, findInt } from './OrderSender.ts'

const TON = 1_000_000_000n
/** Pays for the new contract and for moving the item twice. */
const LISTING_VALUE = 1_500_000_000n
const LISTING_FORWARD = 1_000_000_000n
/** On top of a price: what delivering the item takes. */
const DELIVERY = TON / 4n
/** Items that may be with the market at once; the others stay with their owners. */
const MAX_LISTED = 4
/** In seconds. */
const AUCTION_DURATION = 45

/** An account of the demonstration has the item, or the contract that sells it. */
type Held = { readonly item: Address; readonly holder: Address; readonly owner: DevAccount | undefined }

const findAccount = ({ plan }: DemoStage, address: Address | undefined): DevAccount | undefined =>
  address && plan.accounts.find(({ wallet }) => addressesEqual(wallet.address, address))

const countItems = async ({ port, plan }: DemoStage): Promise<number> =>
  Number(findInt(await port.runMethod(plan.collection.address, 'get_collection_data', []), 0) ?? 0n)

const listItems = async (stage: DemoStage): Promise<Held[]> => {
  const { address } = stage.plan.collection
  const items = await countItems(stage)
  const held: Held[] = []
  for (let k = 0; k < items; k++) {
    const item = nftItemAddress(address, BigInt(k))
    const holder = findAddress(await stage.port.runMethod(item, 'get_nft_data', []), 3)
    if (holder !== undefined) held.push({ item, holder, owner: findAccount(stage, holder) })
  }
  return held
}

type Listing = { readonly contract: Address; readonly data: VmStack }

/** Contracts that hold an item and answer this method. */
const listListings = async (stage: DemoStage, method: string, isOver: number): Promise<Listing[]> => {
  const listings: Listing[] = []
  for (const { holder, owner } of await listItems(stage)) {
    if (owner !== undefined) continue
    const data = await stage.port.runMethod(holder, method, [])
    if (data !== undefined && findInt(data, isOver) === 0n) listings.push({ contract: holder, data })
  }
  return listings
}

type Sale = { readonly contract: Address; readonly seller: DevAccount; readonly price: bigint }

const pickSale = async (stage: DemoStage): Promise<Sale | undefined> => {
  const listings = await listListings(stage, 'get_fix_price_data_v4', 0)
  if (listings.length === 0) return undefined
  const { contract, data } = stage.random.pick(listings)
  const seller = findAccount(stage, findAddress(data, 4))
  const price = findInt(data, 5)
  return seller === undefined || price === undefined ? undefined : { contract, seller, price }
}

/** Items are made until there are this many. */
const MAX_ITEMS = 12

const mint: DemoStep = {
  name: 'nft mint',
  weight: 1,
  run: async (stage) => {
    const { plan, random, sender } = stage
    const index = await countItems(stage)
    if (index >= MAX_ITEMS) return false
    const to = random.pick(plan.accounts).wallet.address
    const body = nftDeployBody(BigInt(index), BigInt(index), TON / 10n, to, itemContent(index))
    await sender.send(plan.collection.owner, [{ ...request(plan.collection.address, body), value: TON / 2n }])
    return true
  },
}

/** Gives an item to the market, which comes into being with the first one. */
const list = async (stage: DemoStage, payload: Cell): Promise<boolean> => {
  const { plan, port, random, sender } = stage
  const items = await listItems(stage)
  const own = items.filter(({ owner }) => owner !== undefined)
  if (own.length === 0 || items.length - own.length >= MAX_LISTED) return false
  const { item, owner } = random.pick(own)
  const { address, init } = plan.market
  const body = nftTransferBody({
    queryId: BigInt(port.now()),
    newOwner: address,
    responseDestination: owner!.wallet.address,
    forwardAmount: LISTING_FORWARD,
    forwardPayload: payload,
  })
  const isThere = (await port.runMethod(address, 'get_market_data', [])) !== undefined
  await sender.send(owner!, [
    ...(isThere ? [] : [{ destination: address, value: TON, bounce: false, init }]),
    { ...request(item, body), value: LISTING_VALUE },
  ])
  return true
}

const putOnSale: DemoStep = {
  name: 'nft sale',
  weight: 2,
  run: (stage) => list(stage, sellForPayload(BigInt(5 + stage.random.int(50)) * TON)),
}

const putOnAuction: DemoStep = {
  name: 'nft auction',
  weight: 2,
  run: (stage) => {
    const minBid = BigInt(1 + stage.random.int(5)) * TON
    return list(stage, auctionPayload({ minBid, maxBid: 100n * TON, duration: AUCTION_DURATION }))
  },
}

const pickOther = ({ plan, random }: DemoStage, than: DevAccount | undefined): DevAccount =>
  random.pick(plan.accounts.filter((account) => account !== than))

const buy: DemoStep = {
  name: 'nft purchase',
  weight: 2,
  run: async (stage) => {
    const sale = await pickSale(stage)
    if (sale === undefined) return false
    const { contract, seller, price } = sale
    await stage.sender.send(pickOther(stage, seller), [
      { destination: contract, value: price + DELIVERY, bounce: true },
    ])
    return true
  },
}

/** Fails in the sale, and the money comes back. */
const haggle: DemoStep = {
  name: 'nft purchase below the price',
  weight: 1,
  run: async (stage) => {
    const sale = await pickSale(stage)
    if (sale === undefined) return false
    const { contract, seller, price } = sale
    await stage.sender.send(pickOther(stage, seller), [{ destination: contract, value: price / 2n, bounce: true }])
    return true
  },
}

const changePrice: DemoStep = {
  name: 'nft price change',
  weight: 1,
  run: async (stage) => {
    const sale = await pickSale(stage)
    if (sale === undefined) return false
    const body = changePriceBody(BigInt(stage.port.now()), sale.price + TON)
    await stage.sender.send(sale.seller, [request(sale.contract, body)])
    return true
  },
}

const cancelSale: DemoStep = {
  name: 'nft sale cancellation',
  weight: 1,
  run: async (stage) => {
    const sale = await pickSale(stage)
    if (sale === undefined) return false
    const body = cancelSaleBody(BigInt(stage.port.now()))
    await stage.sender.send(sale.seller, [{ ...request(sale.contract, body), value: DELIVERY }])
    return true
  },
}

const listAuctions = (stage: DemoStage): Promise<Listing[]> => listListings(stage, 'get_auction_data_v4', 1)

const bid: DemoStep = {
  name: 'auction bid',
  weight: 3,
  run: async (stage) => {
    const { port, random, sender } = stage
    // A bid must arrive before the end.
    const open = (await listAuctions(stage)).filter(({ data }) => findInt(data, 2)! > BigInt(port.now() + 10))
    if (open.length === 0) return false
    const { contract, data } = random.pick(open)
    const [seller, lastBidder] = [findAddress(data, 5), findAddress(data, 7)]
    const bidders = stage.plan.accounts.filter(({ wallet: { address } }) =>
      [seller, lastBidder].every((other) => other === undefined || !addressesEqual(other, address)),
    )
    const [lastBid, minBid] = [findInt(data, 6)!, findInt(data, 16)!]
    const value = lastBid === 0n ? minBid : lastBid + lastBid / 10n + TON / 10n
    await sender.send(random.pick(bidders), [{ destination: contract, value, bounce: true }])
    return true
  },
}

/** Gives the item to the highest bidder, or back if nobody wanted it. */
const finish: DemoStep = {
  name: 'auction end',
  weight: 2,
  run: async (stage) => {
    const { port, random, sender, plan } = stage
    const over = (await listAuctions(stage)).filter(({ data }) => findInt(data, 2)! <= BigInt(port.now()))
    if (over.length === 0) return false
    const { contract } = random.pick(over)
    const message = { destination: contract, value: DELIVERY, bounce: true, body: commentBody('finish') }
    await sender.send(random.pick(plan.accounts), [message])
    return true
  },
}

/** The seller takes an item back for which there is no bid. */
const cancelAuction: DemoStep = {
  name: 'auction cancellation',
  weight: 1,
  run: async (stage) => {
    const fresh = (await listAuctions(stage)).filter(({ data }) => findInt(data, 6) === 0n)
    if (fresh.length === 0) return false
    const { contract, data } = stage.random.pick(fresh)
    const seller = findAccount(stage, findAddress(data, 5))
    if (seller === undefined) return false
    await stage.sender.send(seller, [
      { destination: contract, value: DELIVERY, bounce: true, body: commentBody('cancel') },
    ])
    return true
  },
}

export const marketSteps = {
  mint,
  putOnSale,
  putOnAuction,
  buy,
  haggle,
  changePrice,
  cancelSale,
  bid,
  finish,
  cancelAuction,
} as const
