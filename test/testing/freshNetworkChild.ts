import { startNetwork } from '../../src/cli/dev/startNetwork.ts'

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return Math.round((user + system) / 1000)
}

const network = await startNetwork({ mining: { mode: 'manual' } })
console.log('ready', cpuMs())
const before = cpuMs()
const another = await startNetwork({ mining: { mode: 'manual' } })
console.log('another', cpuMs() - before)
await Promise.all([network.close(), another.close()])
