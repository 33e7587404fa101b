import { type Address, type Contract, type ContractProvider, type OpenedContract, type Sender, toNano } from '@ton/core'
import { Counter } from '../../../test/testing/counter/Counter.ts'

/** What is used of the NetworkProvider that Blueprint hands to a script. */
type NetworkProvider = {
  sender(): Sender
  open<T extends Contract>(contract: T): OpenedContract<T>
  provider(address: Address): ContractProvider
  getContractState(address: Address): Promise<{ readonly balance: bigint }>
  getConfig(): Promise<{ readonly configAddress: Address }>
  isContractDeployed(address: Address): Promise<boolean>
  waitForDeploy(address: Address, attempts?: number, sleepMs?: number): Promise<void>
}

const TRIES = 100
const PAUSE_MS = 300

/** A script of a Blueprint project, started with `blueprint run`. */
export const run = async (provider: NetworkProvider): Promise<void> => {
  const sender = provider.sender()
  const via = process.argv.includes('liteclient') ? 'liteserver' : 'v2'
  const openCounter = (id: number) =>
    provider.open(Counter.createFromConfig({ id, counter: 0, owner: sender.address! }))
  // The counter that is deployed over v2 serves both; another one is deployed over the liteserver.
  const counter = openCounter(7)
  const fresh = via === 'v2' ? counter : openCounter(8)

  const increased = async (wanted: number): Promise<void> => {
    for (let k = 0; k < TRIES; k++) {
      if ((await counter.getCounter()) === wanted) return
      await new Promise((done) => setTimeout(done, PAUSE_MS))
    }
    throw new Error(`The counter is not ${wanted}.`)
  }

  await check(`a contract is deployed from a mnemonic (${via})`, async () => {
    if (await provider.isContractDeployed(fresh.address)) throw new Error('It is there before.')
    await fresh.sendDeploy(sender, toNano('0.5'))
    await provider.waitForDeploy(fresh.address, TRIES, PAUSE_MS)
  })
  await check(`get-methods and messages of the wrapper (${via})`, async () => {
    if ((await counter.getID()) !== 7) throw new Error(`The id is ${await counter.getID()}.`)
    const before = await counter.getCounter()
    await counter.sendIncrease(sender, { increaseBy: 5, value: toNano('0.05') })
    await increased(before + 5)
  })
  await check(`state, transactions and configuration (${via})`, async () => {
    const { balance } = await provider.getContractState(counter.address)
    if (balance <= 0n) throw new Error(`The balance is ${balance}.`)
    const own = provider.provider(counter.address)
    const { last } = await own.getState()
    const transactions = await own.getTransactions(counter.address, last!.lt, last!.hash, 10)
    if (transactions.length < 2) throw new Error(`There are ${transactions.length} transactions.`)
    const { configAddress } = await provider.getConfig()
    if (configAddress.hash[0] !== 0x55) throw new Error(`The configuration contract is ${configAddress}.`)
  })
}

/** On a line of its own, which the prompts of Blueprint are not. */
const check = async (name: string, body: () => Promise<void>): Promise<void> => {
  try {
    await body()
    console.log(`\ncheck\tpassed\t${name}`)
  } catch (error) {
    console.log(`\ncheck\tfailed\t${name}\t${String(error).replace(/\s+/g, ' ')}`)
  }
}
