import { createOwnChain } from './test/support/OwnChain.ts'
import { runWorkload } from './test/support/ownWorkload.ts'
import { checkChain } from './test/support/chainRules/checkChain.ts'
const chain = await createOwnChain({ minSplit: Number(process.argv[2] ?? 0), faucets: 8 })
console.log(await runWorkload(chain, { transactions: Number(process.argv[3] ?? 300), seed: 5 }))
const t = performance.now()
const report = await checkChain(chain.store)
console.log(Object.fromEntries(Object.entries(report).filter(([k]) => k !== 'violations')), report.violations.length, performance.now() - t)
const kinds = new Map<string, string[]>()
for (const v of report.violations) { const k = v.replace(/[0-9a-f]{16,}/g, 'H').replace(/\d+/g, '#'); kinds.set(k, [...(kinds.get(k) ?? []), v]) }
for (const [k, all] of kinds) console.log(all.length, all[0])
await chain.close()
