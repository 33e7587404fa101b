import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Address, beginCell, type Cell, comment, external, internal, SendMode, storeMessage } from '@ton/core'
import { type KeyPair, mnemonicNew, mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4 } from '@ton/ton'
import { type RunningNetwork, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { echoCode } from '../../test/clients/codes.ts'

/** A network with the contracts of the demo, for programs in other languages. */
export type ClientStage = {
  readonly network: RunningNetwork
  /** Writes a file that tells a program of the network, with funded wallets of its own. */
  describe(folder: string): Promise<string>
  close(): Promise<void>
}

const BALANCE = 10_000_000_000n
const PAYMENT = 1_000_000_000n
const WAIT_MS = 300_000
const ELECTOR = Address.parse(`-1:${'3'.repeat(64)}`)
const ECHO = Address.parse(`0:${'e'.repeat(64)}`)
const NOBODY = Address.parse(`0:${'d'.repeat(64)}`)
/** The name that the demo buys. */
const DOMAIN = 'chaincenter.ton'

export const openClientStage = async (folder: string): Promise<ClientStage> => {
  const network = await startNetwork({
    folder,
    mining: { mode: 'interval', intervalMs: 400, emptyBlocks: true },
    http: {},
    index: {},
    demo: true,
  })
  await network.indexed
  const { v3 } = network.client
  const jetton = await until('the jetton of the demo', async () => {
    const { jetton_masters: masters } = await v3.jettonMasters({})
    return masters.find(({ jetton_content: content }) => content?.['symbol'] === 'DEMO')?.address
  })
  const owner = await until('a holder of the jetton', async () => {
    const { jetton_wallets: wallets } = await v3.jettonWallets({ jetton_address: jetton, exclude_zero_balance: true })
    return wallets[0]?.owner
  })
  const collection = await until('the NFT collection of the demo', async () => {
    const { nft_collections: collections } = await v3.nftCollections({})
    return collections.find(({ next_item_index: next }) => Number(next) > 0)?.address
  })
  await until('the DNS name of the demo', async () => (await v3.dnsRecords({ domain: DOMAIN })).records[0])
  await network.setBalance(ECHO, BALANCE)
  await network.setCode(ECHO, echoCode())
  const configServer = await serveText(readFileSync(network.globalConfig.path, 'utf8'))
  const friendly = (address: string): string => Address.parse(address).toString()
  const common = {
    base: `${network.url}/ton`,
    v2: `${network.url}/ton/api/v2`,
    rpc: `${network.url}/ton/api/v2/jsonRPC`,
    config: network.globalConfig.path,
    configUrl: configServer.url,
    liteserver: network.liteserver,
    elector: ELECTOR.toString(),
    nobody: NOBODY.toString(),
    echo: ECHO.toString(),
    jetton: friendly(jetton),
    collection: friendly(collection),
    owner: friendly(owner),
    domain: DOMAIN,
    refused: encode(external({ to: Address.parse(jetton), body: beginCell().endCell() })).toString('hex'),
  }
  const fund = async () => {
    const mnemonic = await mnemonicNew()
    const keys = await mnemonicToPrivateKey(mnemonic)
    const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
    await network.controls.faucet(wallet.address, BALANCE)
    await until('the coins of the faucet', async () => (await network.getBalance(wallet.address)) > 0n)
    // An address that nobody has used, also on a network that goes on.
    const receiver = new Address(0, createHash('sha256').update(keys.publicKey).digest()).toString({
      bounceable: false,
    })
    return { wallet, keys, mnemonic: mnemonic.join(' '), receiver }
  }
  return {
    network,
    async describe(target) {
      const [first, second] = [await fund(), await fund()]
      const bodies = [0, 1, 2].map((seqno) => signTransfer(first, seqno))
      const { address, init } = first.wallet
      const path = join(target, 'network.json')
      const shown = ({ wallet, mnemonic }: Funded) => ({
        address: wallet.address.toString({ bounceable: false }),
        mnemonic,
        balance: Number(BALANCE),
      })
      const content = {
        ...common,
        time: Math.floor(Date.now() / 1000),
        wallet: shown(first),
        wallet2: shown(second),
        receiver: first.receiver,
        receivers: { wallet: first.receiver, wallet2: second.receiver },
        boc: encode(external({ to: address, init, body: bodies[0]! })).toString('base64'),
        estimate: { address: address.toString(), bodies: bodies.map((body) => body.toBoc().toString('base64')) },
      }
      writeFileSync(path, JSON.stringify(content, undefined, 2))
      return path
    },
    async close() {
      configServer.close()
      await network.close()
    },
  }
}

type Funded = {
  readonly wallet: WalletContractV4
  readonly keys: KeyPair
  readonly mnemonic: string
  readonly receiver: string
}

const signTransfer = ({ wallet, keys, receiver }: Funded, seqno: number): Cell =>
  wallet.createTransfer({
    seqno,
    secretKey: keys.secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    timeout: Math.floor(Date.now() / 1000) + 3600,
    messages: [internal({ to: receiver, value: PAYMENT, bounce: false, body: comment('for the tea') })],
  })

const encode = (message: ReturnType<typeof external>): Buffer =>
  beginCell().store(storeMessage(message)).endCell().toBoc()

const until = async <T>(what: string, ask: () => Promise<T | undefined>): Promise<T> => {
  const end = Date.now() + WAIT_MS
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > end) throw new Error(`Waited ${WAIT_MS / 1000} s for ${what}.`)
    await delay(200)
  }
}

/** Blueprint reads the configuration of a liteserver over HTTP only. The text as it is: a shard is no number of JavaScript. */
const serveText = async (text: string) => {
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(text))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => void server.close() }
}
