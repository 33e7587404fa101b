import { performance } from 'node:perf_hooks'
import { createTestMachine } from '/work/main/test/support/vmSamples.ts'
import { sampleInspector, sampleStates, inspectStates } from '/work/main/test/support/inspectSample.ts'
import { contractAt } from '/work/main/test/support/contractRunner.ts'
import { jettonMinterInit, jettonWalletAddress } from '/work/main/src/devnet/contracts/jettonContracts.ts'
import { contractAddress, contractInit } from '/work/main/src/devnet/contracts/contractInit.ts'
import { compiledCode } from '/work/main/src/devnet/contracts/compiledCode.ts'
import { onChainContent } from '/work/main/src/devnet/contracts/bodies.ts'
import { CellWriter } from '/work/main/src/codec/cell/CellWriter.ts'
import { writeAddress } from '/work/main/src/devnet/contracts/addresses.ts'
const { machine } = await createTestMachine({ after: (f: any) => (globalThis as any).close = f })
const at = (k: number) => { const hash = new Uint8Array(32); new DataView(hash.buffer).setUint32(0, k + 1); return { workchain: 0, hash } }
const mi = jettonMinterInit(at(9), onChainContent({ name: 'x' }))
const minter = contractAt(contractAddress(mi), mi)
const wallet = (k: number, b: bigint) => contractAt(jettonWalletAddress(at(k), minter.address), contractInit(compiledCode('jettonWallet'), writeAddress(writeAddress(new CellWriter().writeCoins(b), at(k)), minter.address).toCell()))
const inspector = sampleInspector(machine, sampleStates([minter]), { parallel: 4 })
const N = 1000
for (let round = 0; round < 5; round++) {
  const states = Array.from({ length: N }, (_, k) => ({ contract: wallet(k, BigInt(round)), lt: BigInt(round) }))
  const r0 = inspector.stats.runs
  const t = performance.now()
  await inspectStates(inspector, states)
  const ms = performance.now() - t
  console.log(round, ms.toFixed(0), 'ms', (N / ms * 1000).toFixed(0), 'wallets/s', inspector.stats.runs - r0, 'runs')
}
await (globalThis as any).close()
