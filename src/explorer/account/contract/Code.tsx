import { callServer, callV2 } from '../../fetch/requests.ts'
import { useRequest } from '../../live/usePolling.ts'
import { buildCodeTree, type CodeNode } from '../../model/codeTree.ts'
import { Card, CopyButton, Empty, Failure, Loading } from '../../parts/basics.tsx'

type ListedMethod = { readonly method: string; readonly id: number; readonly instructions: readonly string[] }

type Listing = { readonly instructions: readonly string[]; readonly methods: readonly ListedMethod[] }

/** The instructions of a contract, method by method. Cells and continuations inside are folded. */
export const Code = ({ raw, codeHash }: { readonly raw: string; readonly codeHash: string | undefined }) => {
  const { value, error } = useRequest(`code of ${raw} ${codeHash}`, async (signal): Promise<Listing | null> => {
    const { code } = await callV2('getAddressInformation', { address: raw }, signal)
    if (code === '') return null
    const { body } = await callServer('/disassemble', { boc: code }, { method: 'POST', signal })
    return body as Listing
  })
  if (value === undefined) return error === undefined ? <Loading lines={8} /> : <Failure error={error} />
  return (
    <Card>
      {value === null && <Empty icon="gauge">The account has no code.</Empty>}
      {value !== null && <Block name="Entry" lines={value.instructions} isOpen={value.methods.length === 0} />}
      {value?.methods.map(({ method, id, instructions }) => (
        <Block key={id} name={method} id={id} lines={instructions} isOpen={false} />
      ))}
    </Card>
  )
}

type BlockProps = {
  readonly name: string
  readonly id?: number
  readonly lines: readonly string[]
  readonly isOpen: boolean
}

const Block = ({ name, id, lines, isOpen }: BlockProps) => (
  <details class="code-block" open={isOpen}>
    <summary>
      <span class="method-name mono">{name}</span>
      {id !== undefined && <span class="method-id mono muted">{id}</span>}
      <span class="muted small">{lines.length} lines</span>
    </summary>
    <div class="code-lines mono">
      <CopyButton text={lines.join('\n')} what="instructions" />
      <Lines nodes={buildCodeTree(lines)} />
    </div>
  </details>
)

const Lines = ({ nodes }: { readonly nodes: readonly CodeNode[] }) => (
  <>
    {nodes.map(({ offset, text, children }, index) => {
      const line = (
        <>
          <span class="code-offset muted">{offset}</span>
          <span class="code-text">{text}</span>
        </>
      )
      const key = `${index} ${text}`
      if (children.length === 0) {
        return (
          <div key={key} class="code-line">
            {line}
          </div>
        )
      }
      return (
        <details key={key} class="code-fold">
          <summary class="code-line">{line}</summary>
          <div class="code-inner">
            <Lines nodes={children} />
          </div>
        </details>
      )
    })}
  </>
)
