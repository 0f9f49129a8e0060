import { Button, Group, Text } from "@mantine/core"
import { modals } from "../../ui/modals.ts"

/** What becomes of a draft: it is saved, given up for what is stored, or edited further. */
export type OverwriteAnswer = "save" | "load" | "keep"

/** Asks what to do with a draft when what is stored is no longer what the draft was made from. */
export const askOverwrite = (noun: string): Promise<OverwriteAnswer> =>
  new Promise((resolve) => {
    const choose = (answer: OverwriteAnswer) => {
      resolve(answer)
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
