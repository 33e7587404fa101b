import type { BenchNetwork } from './benchV2Network.ts'
import { type RawRequest, rawGet, rawPost } from './httpLoad.ts'

export const cachedNames = ['getMasterchainInfo', 'getAddressInformation', 'getTransactions'] as const

/** What is asked. An address that is spelled otherwise each time is a question that nobody has asked before. */
export const createQuestions = (url: string, { wallets, crowd }: BenchNetwork) => {
  let asked = 0
  const base = '/api/v2'
  const fixed = wallets[0]!
  const freshWallet = (): string => spell(wallets[asked++ % wallets.length]!, asked)
  const someWallet = (): string => wallets[asked++ % 20]!
  const nextOfCrowd = (): string => crowd[asked++ % crowd.length]!
  const account = (address: string): string => `${base}/getAddressInformation?address=${address}`
  const history = (address: string): string => `${base}/getTransactions?address=${address}&limit=10`
  const method = (address: string, stack: readonly unknown[] = []): RawRequest =>
    rawPost(url, `${base}/runGetMethod`, { address, method: 'seqno', stack })
  const paths = {
    getMasterchainInfo: `${base}/getMasterchainInfo`,
    getAddressInformation: account(fixed),
    getTransactions: history(fixed),
  }
  const requests = Object.fromEntries(cachedNames.map((name) => [name, rawGet(url, paths[name])]))
  const mix = [
    () => requests['getMasterchainInfo']!,
    () => requests['getMasterchainInfo']!,
    () => rawGet(url, account(someWallet())),
    () => rawGet(url, account(someWallet())),
    () => rawGet(url, account(freshWallet())),
    () => rawGet(url, history(someWallet())),
    () => rawGet(url, history(freshWallet())),
    () => method(someWallet()),
    () => method(freshWallet(), [['num', String(asked)]]),
    () => rawGet(url, `${base}/getWalletInformation?address=${someWallet()}`),
  ]
  return {
    kept: (name: string) => () => requests[name]!,
    account: () => rawGet(url, account(nextOfCrowd())),
    history: () => rawGet(url, history(freshWallet())),
    method: () => method(freshWallet()),
    /** An argument that is different each time, which the method leaves where it is. */
    freshMethod: () => method(freshWallet(), [['num', String(asked)]]),
    mixed: () => mix[asked++ % mix.length]!(),
    /** Answers for the yardstick to return. */
    readSamples: async (): Promise<Record<string, string>> => {
      const texts = cachedNames.map(async (name) => [name, await (await fetch(`${url}${paths[name]}`)).text()] as const)
      return Object.fromEntries(await Promise.all(texts))
    },
  }
}

/** The same raw address in letters of other sizes, as a number says. */
const spell = (address: string, number: number): string => {
  let bits = number
  return address.replace(/[a-f]/g, (letter) => {
    const isLarge = (bits & 1) === 1
    bits >>= 1
    return isLarge ? letter.toUpperCase() : letter
  })
}
