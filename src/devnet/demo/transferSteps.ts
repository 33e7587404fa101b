import { commentBody } from '../contracts/bodies.ts'
import type { DemoStep } from './DemoStep.ts'

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

export const transferSteps: readonly DemoStep[] = [sendComment, sendBatch, sendToNobody]
