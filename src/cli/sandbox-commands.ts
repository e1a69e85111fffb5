/** The commands around the sandbox, and their options. */
import type { Command } from 'commander'
import { forwardWebhooks, type ListenOptions } from './forward-webhooks.ts'
import { onStore } from './on-store.ts'
import { wholeNumber } from './option-values.ts'
import { runSandbox, type SandboxCommandOptions } from './sandbox.ts'
import { defaultSandboxPort } from './sandbox-controls.ts'
import { type TriggerOptions, trigger } from './trigger.ts'
import type { World } from './world.ts'

/** Adds them to the program. */
export function addSandboxCommands(program: Command, world: World): void {
  program
    .command('sandbox')
    .description('play the exchange service on a port of this machine')
    .option('--port <number>', 'port to listen on; 0 for any free port', wholeNumber(0, 65_535), defaultSandboxPort)
    .option('--auto-confirm <seconds>', 'confirm complete deposits after this many seconds', wholeNumber(0, 86_400))
    .option('--webhook <url>', 'send webhooks to this address of your server')
    .option('--webhook-secret <secret>', "your server's webhookSecret, if it is not in that address")
    .action((options: SandboxCommandOptions) => runSandbox(options, world))
  addTrigger(program, world)
  onSandbox(program.command('listen'))
    .description("pass the sandbox's webhooks on to your server, and print how it answers each")
    .requiredOption('--forward-to <url>', 'address of paywindow.webhook on your server')
    .option('--secret <secret>', "your server's webhookSecret, if it is not in that address")
    .action((options: ListenOptions) => forwardWebhooks(options, world))
}

function addTrigger(program: Command, world: World): void {
  const command = onSandbox(program.command('trigger'))
    .description('let something happen in the sandbox: paid, underpaid, late, refund and more')
    .argument('[scenario]', 'name of what happens')
    .option('--list', 'list all scenarios')
    .option('--order <id>', 'the order that it happens to; default: the newest that it can happen to')
    .option('--reference <reference>', 'only orders of this cart, which is looked up in the store of your servers')
  onStore(command).action((name: string | undefined, options: TriggerOptions) => trigger(name, options, world))
}

function onSandbox(command: Command): Command {
  return command.option('--sandbox <url>', 'address of the sandbox', `http://127.0.0.1:${defaultSandboxPort}`)
}
