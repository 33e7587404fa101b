import { render } from 'preact'
import { App } from './App.tsx'
import { learnNames } from './model/addressBook.ts'
import { setup } from './setup.ts'
import './explorer.css'
import './account/account.css'
import './debugger/debugger.css'
import './network/network.css'
import './tokens/tokens.css'
import './webhooks/webhooks.css'

learnNames(setup.accounts)
render(<App />, document.getElementById('page')!)
