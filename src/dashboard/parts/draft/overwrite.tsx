import { Button, Group, Text } from "@mantine/core"
import { modals } from "@mantine/modals"

/** What becomes of a draft: it is saved, given up for what is stored, or edited further. */
export type Ruling = "save" | "load" | "keep"

interface Version {
  readonly updatedAt: string
}

/** Rules on a draft that is to be saved. Asks when what is stored is no longer what the draft began from. */
export const ruleOn = (began: Version, stored: Version, noun: string): Promise<Ruling> =>
  began.updatedAt === stored.updatedAt ? Promise.resolve("save") : ask(noun)

const ask = (noun: string): Promise<Ruling> =>
  new Promise((resolve) => {
    const choose = (ruling: Ruling) => {
      resolve(ruling)
      modals.close(id)
    }
    const id = modals.open({
      title: "Changed elsewhere meanwhile",
      centered: true,
      size: 440,
      onClose: () => resolve("keep"),
      children: (
        <>
          <Text size="sm" c="dimmed" mb="md">
            Since you began, this {noun} was saved in another place. Overwrite that with what stands here, or load it
            and lose your changes.
          </Text>
          <Group gap="xs" justify="flex-end">
            <Button variant="default" data-autofocus onClick={() => choose("keep")}>
              Keep editing
            </Button>
            <Button variant="default" onClick={() => choose("load")}>
              Load it
            </Button>
            <Button color="red" onClick={() => choose("save")}>
              Overwrite
            </Button>
          </Group>
        </>
      ),
    })
  })
