import { useState } from 'preact/hooks'
import { askControls } from '../fetch/askControls.ts'
import { hashToBase64 } from '../model/Hash.ts'
import { Card } from '../parts/Card.tsx'
import { CopyButton } from '../parts/CopyButton.tsx'
import { Failure, Loading } from '../parts/states.tsx'

/** What the virtual machine did, instruction by instruction: on an embedded network it can be run again. */
export const MachineLog = ({ hash }: { readonly hash: string }) => {
  const [log, setLog] = useState<string>()
  const [error, setError] = useState<Error>()
  const [isRunning, setRunning] = useState(false)
  const run = async (): Promise<void> => {
    setRunning(true)
    try {
      setLog((await askControls('log', { hash: hashToBase64(hash) })).log)
    } catch (failure) {
      setError(failure as Error)
    }
    setRunning(false)
  }
  return (
    <Card title="Virtual machine" aside={log === undefined ? undefined : <CopyButton text={log} what="log" />}>
      {log === undefined && !isRunning && (
        <p class="card-text">
          <button type="button" class="button" onClick={() => void run()}>
            Run it again and show each instruction
          </button>
        </p>
      )}
      {isRunning && <Loading />}
      {error !== undefined && <Failure error={error} />}
      {log !== undefined && <pre class="log">{log === '' ? 'No code was run.' : log}</pre>}
    </Card>
  )
}
