# What every script of this folder starts from: `. common.sh` with the script's own arguments
# RUNG DIR SOURCE gives $rung, $source, an empty working folder $dir, $failed and fail.
rung=$1
dir=$2
source=$3
if [ $# -ne 3 ] || [ -e "$dir/CMakeLists.txt" ]; then
    echo "usage: ${0##*/} RUNG DIR SOURCE, and DIR is emptied first"
    exit 2
fi
rm -rf "$dir"
mkdir -p "$dir"
cd "$dir" || exit 1
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}
