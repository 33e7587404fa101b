import type { Cell } from '../../codec/cell/Cell.ts'
import { commentBody } from '../contracts/messages.ts'
import { approveBody, multisigOrderAddress, newOrderBody } from '../contracts/multisigContracts.ts'
import { vestingSendBody, vestingWhitelistBody } from '../contracts/vestingContract.ts'
import { type DemoStage, type DemoStep, request } from './DemoStep.ts'
import { exchangeSteps } from './exchangeSteps.ts'
import { marketSteps } from './marketSteps.ts'
import { findInt } from './OrderSender.ts'
import { deleteRecord, jettonSteps, nftSteps } from './tokenSteps.ts'

const ORDER_VALUE = 1_000_000_000n
const ORDER_LIFETIME = 3600

const createOrder = async ({ port, plan, random, sender }: DemoStage, seqno: bigint): Promise<true> => {
  const { address, signers, proposer } = plan.multisig
  const index = random.int(signers.length + 1)
  const signer = signers[index]
  const body = newOrderBody({
    queryId: BigInt(port.now()),
    seqno,
    isSigner: signer !== undefined,
    index: signer === undefined ? 0 : index,
    expirationDate: port.now() + ORDER_LIFETIME,
    messages: [
      {
        destination: random.pick(plan.accounts).wallet.address,
        value: 10_000_000n,
        bounce: false,
        body: commentBody(`order ${seqno}`),
      },
    ],
  })
  await sender.send(signer ?? proposer, [{ ...request(address, body), value: ORDER_VALUE }])
  return true
}

/** The newest order goes on while it can; then there is another. */
const orderTogether: DemoStep = {
  name: 'multisig order',
  weight: 3,
  run: async (stage) => {
    const { port, plan, random, sender } = stage
    const { address, signers } = plan.multisig
    const next = findInt(await port.runMethod(address, 'get_multisig_data', []), 0)
    if (next === undefined) return false
    if (next === 0n) return createOrder(stage, next)
    const order = multisigOrderAddress(address, next - 1n)
    const data = await port.runMethod(order, 'get_order_data', [])
    const approvals = findInt(data, 5)
    const until = findInt(data, 7)
    const isDone = findInt(data, 3) !== 0n
    if (isDone || approvals === undefined || until === undefined || until <= port.now()) return createOrder(stage, next)
    const index = signers.findIndex((_, k) => ((approvals >> BigInt(k)) & 1n) === 0n)
    const body: Cell = random.int(2) === 0 ? commentBody('approve') : approveBody(BigInt(port.now()), index)
    await sender.send(signers[index]!, [request(order, body)])
    return true
  },
}

const sendUnlocked: DemoStep = {
  name: 'vesting transfer',
  weight: 1,
  run: async ({ port, plan, random, sender }) => {
    const destination = random.pick(plan.accounts).wallet.address
    const message = { destination, value: 10_000_000n, bounce: false, body: commentBody('unlocked') }
    const body = vestingSendBody(BigInt(port.now()), message)
    await sender.send(plan.vesting.owner, [request(plan.vesting.address, body)])
    return true
  },
}

const listAddress: DemoStep = {
  name: 'vesting whitelist',
  weight: 1,
  run: async ({ port, plan, random, sender }) => {
    const body = vestingWhitelistBody(BigInt(port.now()), random.pick(plan.accounts).wallet.address)
    await sender.send(plan.vesting.sender, [request(plan.vesting.address, body)])
    return true
  },
}

const remarks = ['thanks', 'lunch', 'for the tickets', 'rent', 'happy birthday', 'invoice 42', 'спасибо', '☕']

const sendComment: DemoStep = {
  name: 'comment',
  weight: 6,
  run: async ({ sender, plan, random }) => {
    const from = random.pick(plan.accounts)
    const to = random.pick(plan.accounts.filter((account) => account !== from))
    const body = commentBody(random.pick(remarks))
    await sender.send(from, [{ destination: to.wallet.address, value: random.coins(), bounce: false, body }])
    return true
  },
}

const sendBatch: DemoStep = {
  name: 'batch',
  weight: 2,
  run: async ({ sender, plan, random }) => {
    const receivers = plan.accounts.filter((account) => account !== plan.batcher).slice(random.int(5))
    const value = random.coins()
    await sender.send(
      plan.batcher,
      receivers.map(({ wallet }) => ({ destination: wallet.address, value, bounce: false })),
    )
    return true
  },
}

/** To an address where there is nothing, so that the money comes back. */
const sendToNobody: DemoStep = {
  name: 'bounce',
  weight: 1,
  run: async ({ sender, plan, random }) => {
    const destination = { workchain: 0, hash: random.bytes() }
    await sender.send(random.pick(plan.accounts), [{ destination, value: random.coins(), bounce: true }])
    return true
  },
}

/** Steps with what {@link deployDemo} made. */
const plainSteps: readonly DemoStep[] = [
  ...[sendComment, sendBatch, sendToNobody],
  ...Object.values(jettonSteps),
  ...Object.values(nftSteps),
  ...[orderTogether, sendUnlocked, listAddress],
]

/** Steps that deploy what they need themselves, too. */
const allSteps: readonly DemoStep[] = [
  ...plainSteps,
  deleteRecord,
  ...Object.values(exchangeSteps),
  ...Object.values(marketSteps),
]

const { provide, swap, swapTooDear, stake, unstake } = exchangeSteps
const { mint, putOnSale, putOnAuction, buy, haggle, changePrice, cancelSale, bid, finish, cancelAuction } = marketSteps

/** Everything once, in an order in which each step finds what it needs: a visitor sees all kinds soon. */
const tour: readonly DemoStep[] = [
  ...[provide, putOnSale, stake, putOnAuction, jettonSteps.send, sendComment, provide, bid, buy, swap, mint],
  ...[orderTogether, bid, putOnAuction, unstake, putOnSale, swapTooDear, jettonSteps.sendTooMany, cancelAuction],
  ...[
    orderTogether,
    haggle,
    changePrice,
    nftSteps.handOn,
    mint,
    provide,
    jettonSteps.burn,
    sendToNobody,
    orderTogether,
  ],
  ...[sendUnlocked, cancelSale, nftSteps.ask, nftSteps.renewName, jettonSteps.askForWallet, listAddress],
  ...[nftSteps.changeName, swap, finish, jettonSteps.mint, deleteRecord, sendBatch, mint, putOnSale],
]

/** Background traffic of the demo network. */
export interface Traffic {
  /** Whether steps are left that happen in a fixed order. */
  readonly isTouring: boolean
  /** Lets one thing happen and says what it was. */
  step(): Promise<string>
}

/** What happens: some steps in order, then others at random. */
type Programme = { readonly first: readonly DemoStep[]; readonly random: readonly DemoStep[] }

const plain: Programme = { first: [], random: plainSteps }

/** All that the demonstration can show. */
export const grandTour: Programme = { first: tour, random: allSteps }

/** Traffic among the contracts of a deployed demonstration. One step at a time: wait for one before the next. */
export const createTraffic = (stage: DemoStage, { first, random }: Programme = plain): Traffic => {
  const pending = [...first]
  const weighted = random.flatMap((step) => Array.from({ length: step.weight }, () => step))
  const runPending = async (): Promise<string | undefined> => {
    for (const [at, step] of pending.entries()) {
      if (!(await step.run(stage))) continue
      pending.splice(at, 1)
      return step.name
    }
    return undefined
  }
  return {
    get isTouring() {
      return pending.length > 0
    },
    step: async () => {
      const name = await runPending()
      if (name !== undefined) return name
      for (;;) {
        const step = stage.random.pick(weighted)
        // Some steps need a contract that may not be there; a comment can always be sent, so this ends.
        if (await step.run(stage)) return step.name
      }
    },
  }
}
