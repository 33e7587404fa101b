import { useState } from 'preact/hooks'
import { Card } from '../parts/Card.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { setup } from '../setup.ts'
import { ExternalForm } from './ExternalForm.tsx'
import { InternalForm } from './InternalForm.tsx'

type Kind = 'internal' | 'external'

export const SendPage = () => {
  const [kind, setKind] = useState<Kind>(setup.hasControls ? 'internal' : 'external')
  return (
    <div class="narrow stack">
      <header class="page-head">
        <h1>Send a message</h1>
        <p class="lead">
          {kind === 'internal'
            ? 'From any account to any other, without its key: this is an embedded network. What follows happens as it always does.'
            : 'A signed message from outside, as wallets make it: a bag of cells in base64 or hexadecimal.'}
        </p>
      </header>
      {setup.hasControls && (
        <Tabs
          label="Kind of message"
          current={kind}
          onChange={(key) => setKind(key)}
          tabs={[
            { key: 'internal', title: 'As an account' },
            { key: 'external', title: 'From outside' },
          ]}
        />
      )}
      <Card>{kind === 'internal' ? <InternalForm /> : <ExternalForm />}</Card>
    </div>
  )
}
