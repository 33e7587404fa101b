import type { Cell } from '../../codec/cell/Cell.ts'
import { commentBody } from '../contracts/messages.ts'
import { approveBody, multisigOrderAddress, newOrderBody } from '../contracts/multisigContracts.ts'
import { vestingSendBody, vestingWhitelistBody } from '../contracts/vestingContract.ts'
import { type DemoStage, type DemoStep, request } from './DemoStep.ts'
import { findInt } from './OrderSender.ts'
import { jettonSteps, nftSteps } from './tokenSteps.ts'

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

const lockedSteps: readonly DemoStep[] = [orderTogether, sendUnlocked, listAddress]

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

const transferSteps: readonly DemoStep[] = [sendComment, sendBatch, sendToNobody]

/** Background traffic of the demo network. */
export interface Traffic {
  /** Lets one thing happen, chosen at random, and says what it was. */
  step(): Promise<string>
}

const steps: readonly DemoStep[] = [...transferSteps, ...jettonSteps, ...nftSteps, ...lockedSteps]
const weighted = steps.flatMap((step) => Array.from({ length: step.weight }, () => step))

/** Traffic among the contracts of a deployed demonstration. One step at a time: wait for one before the next. */
export const createTraffic = (stage: DemoStage): Traffic => ({
  step: async () => {
    for (;;) {
      const step = stage.random.pick(weighted)
      // Some steps need a contract that may not be there; a comment can always be sent, so this ends.
      if (await step.run(stage)) return step.name
    }
  },
})
